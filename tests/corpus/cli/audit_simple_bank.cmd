isomer audit --level PSI,SI examples/apps/simple_bank/simple_bank.sql
