isomer synth --allow SER --forbid SI --scope 3,2,3
