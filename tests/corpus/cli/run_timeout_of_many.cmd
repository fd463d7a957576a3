isomer run --timeout 0.000001 --runs 100 --level SI examples/apps/simple_bank/write_skew.toml
