isomer run --level mysql:RR tests/corpus/cli/guarded.toml
