echo 'a: { a(x)=1 } b: { a(x)=2 } c: { r(x)=[1 2] } d: { r(x)=[2] }' | isomer check -
