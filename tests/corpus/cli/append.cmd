isomer check examples/append.edn
