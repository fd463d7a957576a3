isomer audit --help
