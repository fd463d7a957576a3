isomer run --level pg:SI tests/corpus/cli/guarded.toml
