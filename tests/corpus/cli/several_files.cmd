isomer check --level SER examples/serial.hist examples/bank.hist examples/no_such_file.hist
