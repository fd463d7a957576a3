isomer predict examples/bookings.trace -o - --to isopredict
