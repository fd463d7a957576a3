isomer explore tests/corpus/cli/monotonic.txn --algorithm dpro
