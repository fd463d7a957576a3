echo 'a: { r(y)=1 w(x)=1 } b: { r(x)=1 w(y)=1 }' | isomer check -
