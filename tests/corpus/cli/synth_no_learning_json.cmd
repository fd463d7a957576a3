isomer synth --allow SER --forbid SI --scope 2,2,2 --algorithm no-learning --json
