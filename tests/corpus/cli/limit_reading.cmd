mkfifo $SCRATCH/silent; isomer check --json --timeout 0.1 $SCRATCH/silent 2>&1 | sed "s|$SCRATCH/||"
