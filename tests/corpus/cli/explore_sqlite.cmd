isomer explore --level sqlite:DEFERRED tests/corpus/cli/tickets.toml
