isomer run --level pg:RC --schedule "carrier 3 carrier 8" examples/apps/tpcc/deliveries.toml
