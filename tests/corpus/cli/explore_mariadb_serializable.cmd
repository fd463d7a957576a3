isomer explore --level mariadb:SER examples/apps/simple_bank/write_skew.toml
