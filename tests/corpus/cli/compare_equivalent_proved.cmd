isomer compare RA cerone:RA --scope 2,2,3 --prove
