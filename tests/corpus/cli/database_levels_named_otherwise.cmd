isomer explore --level SER tests/corpus/cli/guarded_postgresql.toml
