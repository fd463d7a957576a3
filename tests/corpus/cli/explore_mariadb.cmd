isomer explore --level mariadb:RR examples/apps/simple_bank/write_skew.toml
