isomer run --workload small examples/apps/simple_bank/write_skew.toml
