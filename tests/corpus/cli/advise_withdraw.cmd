isomer advise --levels EC,PSI,SER examples/audit/withdraw.sql
