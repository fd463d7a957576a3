isomer explore tests/corpus/program/litmus/courseware-4.txn --level RA --base true
