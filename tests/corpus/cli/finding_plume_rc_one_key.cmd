isomer compare RC examples/papers/isolde/plume.level:RC_one_key --scope 3,2,3 --prove | head -1
