isomer advise --database postgresql examples/apps/simple_bank/simple_bank.sql
