isomer explore --level SER --base SI examples/papers/dpor/figure10.txn
