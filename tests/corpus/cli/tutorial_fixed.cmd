isomer audit --prove examples/tutorial/fixed.toml
