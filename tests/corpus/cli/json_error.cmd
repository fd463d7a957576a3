isomer check --json examples/no_such_file.hist
