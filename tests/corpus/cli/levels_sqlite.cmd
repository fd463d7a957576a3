isomer levels sqlite:DEFERRED; isomer levels sqlite:IMMEDIATE
