isomer check --level tests/corpus/cli/mine.level:OneWriter examples/bank.hist
