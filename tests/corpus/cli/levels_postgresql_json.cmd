isomer levels pg:SER --json | head -60
