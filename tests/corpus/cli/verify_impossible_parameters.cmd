isomer verify --level SI tests/corpus/cli/impossible_parameters.toml
