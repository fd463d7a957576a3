isomer check --json --level PC,SI examples/bank.hist
