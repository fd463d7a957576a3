echo 'a: { w(x)=1 } b: { r(x)=7 }' | isomer check -
