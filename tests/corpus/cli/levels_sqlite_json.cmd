isomer levels sqlite:DEFERRED --json | head -40
