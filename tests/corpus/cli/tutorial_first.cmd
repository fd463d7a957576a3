isomer explore --level SI examples/tutorial/night.toml | head -18
