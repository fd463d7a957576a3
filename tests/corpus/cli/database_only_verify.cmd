isomer verify tests/corpus/cli/guarded_unknown.toml
