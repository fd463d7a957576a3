isomer explore tests/corpus/program/litmus/courseware-2.txn --algorithm dfs
