isomer audit --prove examples/audit/snapshot.toml
