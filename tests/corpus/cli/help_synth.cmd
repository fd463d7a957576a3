isomer synth --help
