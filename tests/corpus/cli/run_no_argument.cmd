isomer run
