isomer run --script tests/corpus/cli/write_skew.jsonl examples/apps/simple_bank/write_skew.toml
