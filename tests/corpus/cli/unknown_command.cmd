isomer chekc examples/bank.hist
