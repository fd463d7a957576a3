isomer predict --json --all 2 examples/bookings.trace
