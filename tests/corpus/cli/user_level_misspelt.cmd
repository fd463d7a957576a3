isomer check --level tests/corpus/cli/mine.level:OnWriter examples/bank.hist
