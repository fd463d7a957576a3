isomer verify examples/tutorial/night.toml | head -16
