isomer run examples/apps/smallbank/workload.toml
