isomer run --level RC --runs 100 examples/tutorial/night.toml
