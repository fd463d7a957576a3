isomer predict --run tests/corpus/cli/guarded_unknown.toml
