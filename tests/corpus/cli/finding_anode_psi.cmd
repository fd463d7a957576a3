isomer compare PSI anode:PSI --scope 3,1,2
