isomer check --level SI examples/write_skew.hist
