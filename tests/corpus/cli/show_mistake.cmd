isomer show tests/corpus/error/sql/ambiguous_variable.sql
