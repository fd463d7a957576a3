isomer verify --level SI --stats examples/apps/simple_bank/write_skew.toml 2>&1 > /dev/null | sed -E 's/[0-9.]+( s| MiB)?$/..\1/'
