isomer audit --level EC --max-cycle 2 --no-confirm examples/papers/anode/grammar.sql | grep -v anomalies | head -1
