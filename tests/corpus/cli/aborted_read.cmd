echo 'a: { w(x)=1 } abort b: { r(x)=1 }' | isomer check -
