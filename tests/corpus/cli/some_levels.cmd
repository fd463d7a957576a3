isomer check --level PC,SI --level rc examples/long_fork.hist
