isomer check examples/write_skew.hist
