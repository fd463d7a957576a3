for rule in closed appendix-b; do isomer predict --boundary $rule --strategy approx-strict tests/corpus/known/isopredict/boundary/strict_causal.txt | sed -n 3,4p; done
