isomer levels mariadb:RU; isomer levels mariadb:RC; isomer levels mariadb:RR; isomer levels mariadb:SER
