isomer check --level mine.level examples/bank.hist
