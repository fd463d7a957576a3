isomer levels --help
