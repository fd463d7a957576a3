isomer run examples/apps/simple_bank/write_skew.toml
