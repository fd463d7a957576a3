isomer levels sqlite:IMMEDIATE
