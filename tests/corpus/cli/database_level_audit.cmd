isomer audit --level pg:SER examples/audit/withdraw.sql
