isomer audit examples/audit/snapshot.toml
