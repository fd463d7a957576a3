isomer synth --forbid RC
