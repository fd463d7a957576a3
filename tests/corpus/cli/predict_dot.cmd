isomer predict --dot - examples/bookings.trace
