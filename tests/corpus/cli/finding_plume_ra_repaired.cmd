isomer compare RA examples/papers/isolde/plume.level:RA_repaired --scope 3,2,3 --prove | head -1
