isomer run --level mariadb:RR --schedule "ann bob bob ann ann ann" levels/mariadb/05_changes_pass_by_the_snapshot.toml
