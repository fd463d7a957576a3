isomer synth --allow CC --forbid PC --html $SCRATCH/x.html -o $SCRATCH/fork.hist > /dev/null && cat $SCRATCH/fork.hist && isomer check --level CC,PC $SCRATCH/fork.hist | sed '1d;/See it/d'
