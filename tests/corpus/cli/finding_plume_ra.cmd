isomer compare RA plume:RA --scope 3,1,2
