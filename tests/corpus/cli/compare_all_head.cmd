isomer compare --all --scope 3,2,3 | head -1
