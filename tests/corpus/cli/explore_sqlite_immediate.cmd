isomer explore --level sqlite:IMMEDIATE tests/corpus/cli/tickets.toml
