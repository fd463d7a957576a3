echo 'a: { w(x)=1 } { w(x)=2 } b: { w(x)=1 } c: { r(x)=2 } { r(x)=1 }' | isomer check --witness -
