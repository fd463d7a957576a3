isomer run --script examples/bank.hist examples/apps/simple_bank/write_skew.toml
