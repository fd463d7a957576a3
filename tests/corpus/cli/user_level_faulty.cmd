isomer check --level tests/corpus/cli/broken.level examples/bank.hist
