isomer predict --run examples/tutorial/night.toml --strategy approx-relaxed --validate
