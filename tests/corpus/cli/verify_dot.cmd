isomer verify examples/apps/simple_bank/write_skew.toml --level SER,SI --encoding paper --dot -
