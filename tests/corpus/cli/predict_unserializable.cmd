isomer predict examples/write_skew.hist
