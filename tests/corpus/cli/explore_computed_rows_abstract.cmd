isomer explore --level SI tests/corpus/cli/computed_rows.toml
