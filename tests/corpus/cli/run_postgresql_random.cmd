isomer run --level pg:SER --seed 3 examples/apps/simple_bank/write_skew.toml
