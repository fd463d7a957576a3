isomer levels pg:RC | head -44
