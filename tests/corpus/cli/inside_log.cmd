isomer check --log info examples/bank.hist 2>&1 > /dev/null | sed -E 's/[0-9.]+ s$/.. s/'
