isomer verify --level PSI,SI --encoding paper tests/corpus/verify/unrelated_two.toml | head -10
