isomer verify --level SI --rows 4 tests/corpus/cli/too_many_rows.toml | sed -E "s/[0-9.]+ s$/.. s/"
