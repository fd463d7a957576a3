isomer compare SI SER --scope 3,2,3 --json
