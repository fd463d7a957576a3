isomer run --level SI --runs 100 examples/tutorial/night.toml
