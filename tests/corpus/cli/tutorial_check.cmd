isomer check examples/tutorial/night.hist
