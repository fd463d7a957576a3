for p in courseware-1 twitter-1; do isomer explore --level SI tests/corpus/program/litmus/$p.txn | grep histories; done
