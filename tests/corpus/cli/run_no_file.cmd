isomer run nowhere.toml; isomer show nowhere; isomer show examples; isomer run /dev/null
