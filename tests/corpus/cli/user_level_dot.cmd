isomer check --dot - --level tests/corpus/cli/mine.level:OneWriter examples/bank.hist
