isomer verify --level CC,PC,PSI,SI,SER examples/papers/netys/figure1b.toml | head -12; isomer explore --level CC examples/papers/netys/figure1b.toml | tail -3
