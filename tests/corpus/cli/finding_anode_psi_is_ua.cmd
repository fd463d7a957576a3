isomer compare anode:PSI cerone:UA --scope 3,2,3 --prove
