isomer check --level SIR examples/bank.hist
