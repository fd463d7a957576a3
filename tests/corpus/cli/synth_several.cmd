isomer synth --allow PC,cerone:CC --forbid SI --forbid PSI --no-blind-writes
