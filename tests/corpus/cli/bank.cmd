isomer check examples/bank.hist
