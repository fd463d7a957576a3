isomer verify --help
