isomer explore --level pg:SER examples/apps/simple_bank/write_skew.toml
