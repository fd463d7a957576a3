isomer run examples/apps/smallbank/smallbank.sql
