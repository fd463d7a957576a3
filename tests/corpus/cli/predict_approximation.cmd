for s in exact-strict approx-strict; do isomer predict --strategy $s examples/papers/isopredict/approximation.hist | sed -n 3,4p; done
