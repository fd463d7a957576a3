isomer explore --level SI tests/corpus/cli/guarded_unknown.toml
