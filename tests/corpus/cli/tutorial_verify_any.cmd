isomer verify --level PSI,SI,SER examples/tutorial/any_night.toml | head -9
