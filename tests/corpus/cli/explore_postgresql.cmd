isomer explore --level pg:RC examples/apps/simple_bank/write_skew.toml
