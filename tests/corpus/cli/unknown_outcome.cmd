echo 'a: { r(x)=0 w(x)=1 } unknown b: { r(x)=0 w(x)=2 }' | isomer check -
