isomer run --level cerone:SI --runs 10 examples/apps/simple_bank/write_skew.toml
