isomer run --level RC tests/corpus/cli/guarded_unknown.toml
