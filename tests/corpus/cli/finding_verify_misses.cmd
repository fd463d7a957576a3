isomer verify --level CC,PSI,PC tests/corpus/verify/pairs.toml | head -6; isomer verify --level CC,PSI,PC --encoding paper tests/corpus/verify/pairs.toml | head -6
