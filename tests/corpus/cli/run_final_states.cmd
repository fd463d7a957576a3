isomer run --level CC --seed 3 examples/apps/smallbank/conserved.toml
