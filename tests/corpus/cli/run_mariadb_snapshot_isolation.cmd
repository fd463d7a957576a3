isomer run --level mariadb:RR --set snapshot_isolation=true --schedule "ann bob bob ann" levels/mariadb/05_changes_pass_by_the_snapshot.toml
