isomer compare SI PC --scope 3,2,3
