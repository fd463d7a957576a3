isomer generate --help
