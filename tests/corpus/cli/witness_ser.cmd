isomer check --witness examples/serial.hist
