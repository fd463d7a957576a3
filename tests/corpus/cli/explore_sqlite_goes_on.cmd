isomer explore --level sqlite:DEFERRED tests/corpus/cli/tickets_given.toml
