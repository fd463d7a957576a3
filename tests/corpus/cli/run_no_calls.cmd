isomer run tests/corpus/cli/no_calls.toml
