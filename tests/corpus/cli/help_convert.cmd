isomer convert --help
