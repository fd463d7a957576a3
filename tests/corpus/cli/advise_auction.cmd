isomer advise --database postgresql examples/apps/auction_v1/auction_v1.sql
