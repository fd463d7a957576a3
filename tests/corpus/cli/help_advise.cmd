isomer advise --help
