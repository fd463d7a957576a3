isomer predict --level pg:RR examples/bookings.trace
