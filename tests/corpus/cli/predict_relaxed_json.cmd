isomer predict --strategy exact-strict --json --run examples/papers/isopredict/figure1.txn | grep -A20 '"relaxed"'
