isomer explore examples/apps/simple_bank/write_skew.toml --level SER
