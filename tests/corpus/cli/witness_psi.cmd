isomer check --witness examples/long_fork.hist
