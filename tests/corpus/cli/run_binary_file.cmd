cd $SCRATCH && printf "\001\377\002" > binary.sql && cp binary.sql binary.toml && cp binary.sql binary.txn && for file in binary.*; do isomer run $file; isomer show $file; done
