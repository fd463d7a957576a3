isomer verify examples/apps/simple_bank/any_withdrawals.toml --level PSI,SI,SER | head -9
