isomer run --level mariadb:SER --runs 50 examples/apps/simple_bank/write_skew.toml
