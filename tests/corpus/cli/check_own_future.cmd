isomer check --level SER,adya:PL-3,crooks:SER tests/corpus/defects/check/own_future.hist | head -4
