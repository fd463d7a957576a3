isomer check examples/long_fork.hist
