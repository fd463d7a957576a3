isomer levels --json PL-2+
