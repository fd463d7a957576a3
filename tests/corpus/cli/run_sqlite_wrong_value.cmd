isomer run --level sqlite:DEFERRED --set busy_timeout=5000 tests/corpus/cli/tickets.toml
