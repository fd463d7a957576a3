isomer check --wittness examples/bank.hist
