isomer check --level cerne:SI examples/bank.hist
