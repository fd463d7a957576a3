isomer run --level sqlite:DEFERRED --set journal=wal --runs 50 tests/corpus/cli/tickets.toml
