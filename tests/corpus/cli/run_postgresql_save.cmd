isomer run --level pg:RC --schedule "ann bob ann bob bob" levels/postgresql/03_subqueries_stay_old.toml -o $SCRATCH/run.hist | tail -3; isomer check $SCRATCH/run.hist | sed '1d;/See it/d'
