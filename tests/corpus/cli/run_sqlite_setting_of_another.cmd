isomer run --level pg:RC --set journal=wal tests/corpus/cli/tickets.toml
