isomer check --level SI examples/bank.hist
