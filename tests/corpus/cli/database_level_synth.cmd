isomer synth --allow pg:RC --forbid SER
