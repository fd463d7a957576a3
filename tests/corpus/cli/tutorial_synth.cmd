isomer synth --allow SI --forbid SER
