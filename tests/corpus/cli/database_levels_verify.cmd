isomer verify tests/corpus/cli/guarded_postgresql.toml
