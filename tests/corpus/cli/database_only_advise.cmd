isomer advise tests/corpus/cli/guarded_unknown.toml
