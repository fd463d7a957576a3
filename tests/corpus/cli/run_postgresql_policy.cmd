isomer run --level pg:RC --policy random examples/apps/simple_bank/write_skew.toml
