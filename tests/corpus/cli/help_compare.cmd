isomer compare --help
