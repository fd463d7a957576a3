isomer check --level adya:PL-3,tests/corpus/cli/mine.level,SI,cerone:SI examples/bank.hist
