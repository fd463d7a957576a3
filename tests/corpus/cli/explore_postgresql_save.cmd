isomer explore --level pg:RC examples/apps/simple_bank/write_skew.toml --no-minimise -o $SCRATCH/skew.hist | grep "as a history"; isomer check --level SI,SER $SCRATCH/skew.hist | sed '1d;/See it/d'
