isomer run --level 'PostgreSQL:repeatable read' --schedule "ann bob ann" levels/postgresql/13_first_committer_wins.toml
