isomer explore --workload small --seed 2 --level RC --find failing examples/apps/voter/workload.toml
