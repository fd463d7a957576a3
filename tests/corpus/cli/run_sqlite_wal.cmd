isomer run --level sqlite:DEFERRED --set journal=wal --schedule "cid bob ann ann ann ann bob" tests/corpus/cli/tickets.toml
