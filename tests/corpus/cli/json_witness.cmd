isomer check --json --witness --level PSI,SER examples/long_fork.hist examples/serial.hist
