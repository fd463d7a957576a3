isomer run tests/corpus/cli/unset.toml
