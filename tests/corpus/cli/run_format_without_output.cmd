isomer run --to json examples/apps/simple_bank/write_skew.toml
