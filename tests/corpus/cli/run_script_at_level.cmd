isomer run --script tests/corpus/cli/write_skew.jsonl --level SER examples/apps/simple_bank/write_skew.toml
