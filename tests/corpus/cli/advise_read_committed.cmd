isomer advise --levels RC,SI examples/audit/withdraw.sql
