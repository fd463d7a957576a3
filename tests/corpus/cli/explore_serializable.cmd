isomer explore examples/apps/smallbank/conserved.toml --level SI --find unserializable
