: > $SCRATCH/empty.sql && cd $SCRATCH && isomer show empty.sql
