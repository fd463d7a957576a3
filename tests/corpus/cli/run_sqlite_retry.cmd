isomer run --level sqlite:DEFERRED --schedule "bob ann ann ann ann bob" tests/corpus/cli/tickets_retry.toml
