isomer check --witness --level adya:PL-2,adya:PL-SI,adya:PL-3 examples/append.edn
