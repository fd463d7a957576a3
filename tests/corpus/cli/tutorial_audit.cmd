isomer audit --level SI examples/tutorial/night.toml
