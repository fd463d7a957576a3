isomer show tests/corpus/cli/tickets_mixed.toml | tail -12
