isomer predict --level SI examples/bookings.trace
