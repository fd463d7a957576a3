isomer explore --level SI examples/tutorial/night.toml
