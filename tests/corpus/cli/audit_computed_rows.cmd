isomer audit --level RC tests/corpus/cli/computed_rows.sql
