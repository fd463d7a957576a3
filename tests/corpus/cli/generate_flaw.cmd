isomer generate --inject lost-update --sessions 3 --transactions 6 --operations 3 --keys 4 --to hist
