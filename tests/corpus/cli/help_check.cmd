isomer check --help
