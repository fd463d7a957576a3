isomer run --level SI --seed 5 examples/apps/simple_bank/write_skew.toml
