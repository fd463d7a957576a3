isomer audit examples/audit/upgraded.toml
