isomer explore --workload small examples/papers/dpor/figure10.txn
