isomer explore examples/apps/voter/workload.toml
