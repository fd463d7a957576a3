isomer run --level sqlite:DEFERRED --schedule "cid ann ann ann ann bob" tests/corpus/cli/tickets.toml
