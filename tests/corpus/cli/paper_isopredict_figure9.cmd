isomer predict --run examples/papers/isopredict/figure9.txn --seed 3 --strategy approx-relaxed --validate
