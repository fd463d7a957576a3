echo 'a: { w(x)=1 w(x)=2 } b: { r(x)=1 }' | isomer check -
