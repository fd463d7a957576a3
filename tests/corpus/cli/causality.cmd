isomer check examples/causality.hist
