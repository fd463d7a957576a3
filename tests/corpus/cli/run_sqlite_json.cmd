isomer run --level sqlite:DEFERRED --set busy_timeout=false --json --schedule "ann ann bob bob" tests/corpus/cli/tickets_given.toml
