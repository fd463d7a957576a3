isomer predict examples/bookings.trace --validate examples/apps/courseware/capacity.toml
