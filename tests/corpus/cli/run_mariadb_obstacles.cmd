isomer run --level mariadb:RR tests/corpus/cli/tickets_locked.toml
