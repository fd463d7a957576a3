isomer explore --level pg:RC --base RC examples/apps/simple_bank/write_skew.toml
