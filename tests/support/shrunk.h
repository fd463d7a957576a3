// SPDX-License-Identifier: MIT
// Makes what fails as small as it gets.
#pragma once

#include <utility>

namespace isomer::test {

// `smaller(thing)` lists the things that have a little less.  The first of them that fails
// takes the place of the whole, until none does.
template <class Thing, class Fails>
Thing shrunk(Thing thing, Fails fails) {
  for (bool is_smaller = true; is_smaller;) {
    is_smaller = false;
    for (Thing& less : smaller(std::as_const(thing)))
      if (fails(std::as_const(less))) {
        thing = std::move(less);
        is_smaller = true;
        break;
      }
  }
  return thing;
}

}  // namespace isomer::test
