isomer explore tests/corpus/cli/monotonic.txn --level RC
