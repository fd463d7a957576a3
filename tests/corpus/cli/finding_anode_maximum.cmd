isomer audit --level SI --max-cycle 2 examples/papers/anode/maximum.sql
