isomer run --policy random examples/apps/simple_bank/write_skew.toml
