isomer run --timeout 0.000001 --level SI examples/apps/simple_bank/write_skew.toml
