isomer run --level mariadb:RR tests/corpus/cli/computed_rows.toml
