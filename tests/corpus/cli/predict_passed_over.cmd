isomer predict --run examples/apps/smallbank/workload.toml --workload small --seed 34 --level RC --validate
