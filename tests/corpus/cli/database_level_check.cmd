isomer check --level pg:RC examples/bank.hist
