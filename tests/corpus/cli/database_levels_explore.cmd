isomer explore tests/corpus/cli/guarded_postgresql.toml
