isomer predict --run examples/apps/smallbank/workload.toml --workload small --seed 1 --validate --strategy approx-relaxed
