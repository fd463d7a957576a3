isomer audit --level EC,PSI --prove examples/audit/withdraw.sql
