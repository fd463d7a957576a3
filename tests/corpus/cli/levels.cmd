isomer levels
