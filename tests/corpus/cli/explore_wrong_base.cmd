isomer explore examples/apps/voter/over_limit.toml --level RA --base CC
