printf 'a: { r(x)=0 w(x)=1 }\nb: { r(x)=1 w(y) }\n' | isomer check --format hist -
