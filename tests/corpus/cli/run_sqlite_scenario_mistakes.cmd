isomer run tests/corpus/cli/wrong_settings.toml
