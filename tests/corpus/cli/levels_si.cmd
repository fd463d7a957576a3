isomer levels SI
