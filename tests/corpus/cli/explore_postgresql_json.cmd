isomer explore --level pg:RC --json examples/apps/simple_bank/write_skew.toml
