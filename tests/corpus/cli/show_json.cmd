isomer show --json examples/withdraw.sql
