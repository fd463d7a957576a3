isomer explore --level pg:RC tests/corpus/cli/computed_rows.toml
