echo 'a: { w(x)=1 w(y)=1 w(a)=1 } b: { w(x)=2 w(y)=2 w(b)=1 } c: { r(b)=1 w(c)=1 } d: { r(c)=1 r(x)=1 } e: { r(a)=1 w(d)=1 } f: { r(d)=1 r(y)=2 }' | isomer check --level CC -
