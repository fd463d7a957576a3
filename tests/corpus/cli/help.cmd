isomer --help
