isomer run -o /nowhere/run.hist examples/apps/simple_bank/write_skew.toml
