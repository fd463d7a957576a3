isomer predict --force examples/write_skew.hist
