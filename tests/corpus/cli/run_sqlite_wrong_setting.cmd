isomer run --level sqlite:DEFERRED --set jornal=wal tests/corpus/cli/tickets.toml
