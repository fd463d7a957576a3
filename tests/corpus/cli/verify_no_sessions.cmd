isomer verify examples/apps/simple_bank/workload.toml
