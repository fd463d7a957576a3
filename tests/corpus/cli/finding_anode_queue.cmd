isomer audit --level anode:PSI --max-cycle 3 examples/papers/anode/queue.sql | head -19
