isomer audit --level PSI --max-cycle 3 --prove --assume-counters examples/papers/anode/queue.sql
