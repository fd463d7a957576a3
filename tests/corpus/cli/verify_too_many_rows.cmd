isomer verify --level SI tests/corpus/cli/too_many_rows.toml
