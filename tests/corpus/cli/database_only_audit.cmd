isomer audit --level SI tests/corpus/cli/guarded.sql
