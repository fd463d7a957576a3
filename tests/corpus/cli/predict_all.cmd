isomer predict examples/bookings.trace --level RC --strategy exact-relaxed --all 3
