isomer run --level tests/corpus/cli/mine.level examples/apps/simple_bank/write_skew.toml
