isomer audit --level SI examples/apps/voter/voter.sql
