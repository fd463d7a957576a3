isomer run --level pg:RC --schedule "ann bop" levels/postgresql/02_waiting_and_looking_again.toml
