isomer run --level mysql:RC --schedule "ann bob ann bob ann" levels/mariadb/19_deadlock.toml
