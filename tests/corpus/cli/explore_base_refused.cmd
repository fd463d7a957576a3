isomer explore --level SER --base PC examples/papers/dpor/figure10.txn
