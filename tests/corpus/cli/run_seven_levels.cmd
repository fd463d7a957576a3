for level in RC RA CC PC PSI SI SER; do isomer run --level $level --runs 20 examples/apps/simple_bank/write_skew.toml | sed -n '1p;3p'; done
