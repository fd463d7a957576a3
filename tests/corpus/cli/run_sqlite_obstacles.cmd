isomer run --level sqlite:DEFERRED tests/corpus/cli/tickets_locked.toml
