isomer run --level CC --workload small --runs 30 examples/apps/smallbank/workload.toml
