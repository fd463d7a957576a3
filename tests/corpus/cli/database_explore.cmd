isomer explore --level SI tests/corpus/cli/guarded.toml
