isomer run --level pg:RC --schedule "ann bob bob" levels/postgresql/02_waiting_and_looking_again.toml
