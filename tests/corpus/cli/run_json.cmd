isomer run --level SI --runs 20 --json examples/apps/simple_bank/write_skew.toml
