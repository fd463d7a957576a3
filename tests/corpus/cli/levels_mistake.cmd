isomer levels tests/corpus/error/level/composed_wrong_sorts.level
