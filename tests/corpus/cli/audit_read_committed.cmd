isomer audit --level RC examples/audit/withdraw.sql
