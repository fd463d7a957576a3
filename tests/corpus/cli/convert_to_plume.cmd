isomer convert --to plume examples/long_fork.hist
