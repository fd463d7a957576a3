isomer predict --run examples/apps/smallbank/workload.toml --workload small --seed 6 --level RC --validate
