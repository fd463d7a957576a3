isomer explore examples/apps/smallbank/write_skew.toml --level SI --find unserializable
