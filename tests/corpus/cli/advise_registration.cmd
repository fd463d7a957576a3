isomer advise --levels EC,PSI,SI examples/audit/registration.sql
