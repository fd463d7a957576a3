echo 'a: { r(x)=0 w(y)=1 w(z)=1 } b: { r(y)=0 w(x)=1 w(z)=2 }' | isomer check -
