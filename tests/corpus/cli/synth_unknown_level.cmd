isomer synth --allow CC --forbid SJ
