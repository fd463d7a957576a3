isomer run --level tests/corpus/cli/mine.level:ReadYourWrites --seed 5 examples/apps/simple_bank/write_skew.toml
