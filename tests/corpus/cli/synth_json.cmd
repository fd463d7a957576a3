isomer synth --allow SI --forbid SER --json
