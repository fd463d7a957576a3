isomer run --runs 100 examples/tutorial/night.toml
