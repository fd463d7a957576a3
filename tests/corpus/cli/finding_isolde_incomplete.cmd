isomer synth --allow tests/corpus/synth/patterns.level:RA_tap --forbid cerone:RA --no-blind-writes --so-partial-order
