isomer compare --all --scope 3,2,3
