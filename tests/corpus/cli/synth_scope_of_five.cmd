isomer synth --allow PC --forbid SI --scope 3,2,3,2,7 | head -8
