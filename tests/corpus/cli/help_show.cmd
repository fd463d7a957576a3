isomer show --help
