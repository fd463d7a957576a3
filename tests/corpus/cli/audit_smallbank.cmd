isomer audit --level SI --max-cycle 3 examples/apps/smallbank/smallbank.sql
