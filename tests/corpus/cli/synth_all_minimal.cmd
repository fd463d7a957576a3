isomer synth --allow RC --forbid CC --all-minimal 2 --scope 3,2,3
