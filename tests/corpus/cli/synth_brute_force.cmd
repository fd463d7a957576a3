isomer synth --allow CC --forbid SI --scope 2,1,3,2 --algorithm brute-force
