isomer verify --level RC --level SER --json tests/corpus/cli/impossible_state.toml
