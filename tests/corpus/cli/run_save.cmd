isomer run --level SI --seed 5 examples/apps/simple_bank/write_skew.toml -o $SCRATCH/run.hist > /dev/null; cat $SCRATCH/run.hist; isomer check --level SER $SCRATCH/run.hist | sed '1d;/See it/d'
