isomer levels pg:RC; isomer levels pg:RR; isomer levels pg:SER
