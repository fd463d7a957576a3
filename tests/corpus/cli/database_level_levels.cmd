isomer levels mysql:SI
