isomer predict --help
