isomer predict --run examples/papers/isopredict/figure1.txn
