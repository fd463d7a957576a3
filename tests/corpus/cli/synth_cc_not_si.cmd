isomer synth --allow CC --forbid SI
