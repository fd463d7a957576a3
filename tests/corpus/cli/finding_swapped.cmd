isomer explore --level CC --histories - tests/corpus/program/litmus/swapped-counterexample.txn | cut -c1-114
