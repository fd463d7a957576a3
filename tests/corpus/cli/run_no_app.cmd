isomer run tests/corpus/cli/no_app.toml
