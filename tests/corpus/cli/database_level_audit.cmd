isomer audit --level pg:SER tests/corpus/cli/guarded.sql
