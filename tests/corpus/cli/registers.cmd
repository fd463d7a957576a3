isomer check examples/registers.txt
