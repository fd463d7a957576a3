isomer run --level RC --set journal=wal tests/corpus/cli/tickets.toml
