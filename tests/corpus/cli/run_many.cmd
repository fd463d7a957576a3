isomer run --level SI --runs 50 examples/apps/simple_bank/write_skew.toml
