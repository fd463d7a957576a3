isomer check --json --witness --level SI,tests/corpus/cli/mine.level,adya:PL-1 examples/bank.hist
