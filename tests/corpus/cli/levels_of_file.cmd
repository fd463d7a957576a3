isomer levels examples/isolde.level:NLU
