isomer check tests/corpus/defects/check/locking_join_at_read_committed.hist
