isomer levels pg:RC
