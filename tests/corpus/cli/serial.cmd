isomer check examples/serial.hist
