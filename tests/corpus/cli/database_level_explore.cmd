isomer explore --level "postgresql:read committed" tests/corpus/cli/guarded.toml
