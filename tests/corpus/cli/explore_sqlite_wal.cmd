isomer explore --level sqlite:DEFERRED --set journal=wal tests/corpus/cli/tickets.toml
