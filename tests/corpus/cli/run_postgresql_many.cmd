isomer run --level pg:RR --runs 50 examples/apps/simple_bank/write_skew.toml
