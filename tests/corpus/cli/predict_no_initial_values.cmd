printf 'init none\na: { w(x)=1 }\nb: { r(x)=1 w(y)=1 }\nc: { w(x)=2 } { r(y)=1 r(x)=2 }\n' | isomer predict --level RC --strategy exact-relaxed -
