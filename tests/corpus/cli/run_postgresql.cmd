isomer run --level pg:RC --schedule "atm web atm web atm web" examples/apps/simple_bank/write_skew.toml
