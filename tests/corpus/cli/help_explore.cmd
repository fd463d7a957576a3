isomer explore --help
