isomer levels mariadb:RR
