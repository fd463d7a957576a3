printf 'a: { r(x)=0 w(x)=1 }\n' | isomer check --level RC --witness -
