isomer predict examples/bookings.trace
