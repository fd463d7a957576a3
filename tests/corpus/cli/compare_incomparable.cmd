isomer compare PC PSI
