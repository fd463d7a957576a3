isomer run --help
