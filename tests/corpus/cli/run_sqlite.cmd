isomer run --level sqlite:DEFERRED --schedule "ann bob ann ann bob" tests/corpus/cli/tickets.toml
