isomer predict --run examples/papers/isopredict/figure9.txn --seed 6 --strategy approx-relaxed --validate
