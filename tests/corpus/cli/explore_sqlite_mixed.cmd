isomer explore tests/corpus/cli/tickets_mixed.toml
