isomer verify --level SI,pg:rc tests/corpus/cli/guarded.toml
