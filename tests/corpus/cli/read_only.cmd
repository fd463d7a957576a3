isomer check examples/read_only.hist
