isomer run --level pg:RC --schedule "ann bob ann bob bob" levels/postgresql/03_subqueries_stay_old.toml
