isomer explore --level CC --base examples/papers/dpor/whole.level tests/corpus/program/litmus/swapped-counterexample.txn
