isomer check --dot - examples/bank.hist
