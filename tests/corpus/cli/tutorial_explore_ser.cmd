isomer explore --level SER examples/tutorial/night.toml
