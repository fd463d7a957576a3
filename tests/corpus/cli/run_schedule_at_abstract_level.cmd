isomer run --level SI --schedule "atm web" examples/apps/simple_bank/write_skew.toml
