isomer verify --level PSI,SI tests/corpus/verify/unrelated_one.toml | head -5; isomer verify --level PSI,SI --encoding paper tests/corpus/verify/unrelated_one.toml | head -11
