isomer check --witness --level tests/corpus/cli/mine.level:ReadYourWrites examples/bank.hist
