isomer check --level SER --dot - tests/corpus/cli/write_skew.jsonl
