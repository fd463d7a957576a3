isomer audit --level SI --prove --assume-counters examples/apps/tpcc/tpcc_by_district.sql
