isomer convert --to json examples/bank.hist
