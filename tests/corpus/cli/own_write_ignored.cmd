echo 'a: { w(x)=1 r(x)=0 }' | isomer check -
