isomer run --policy script examples/apps/simple_bank/write_skew.toml
