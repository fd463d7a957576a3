isomer check --json --level SER tests/corpus/cli/write_skew.jsonl
