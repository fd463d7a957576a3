// SPDX-License-Identifier: MIT
// Every axiom has the form
//
//   forall x, t1 != t2, t3:  wr[x](t1, t3) and t2 writes x and phi(t2, t3)  =>  co(t2, t1)
//
// so for each read of x by t3 it is enough to look at the writer t2 of x that is latest in
// co among those with phi(t2, t3): it must not be later than t1.  That makes the evaluation
// as cheap as finding that one writer; how, depends on the family of phi.
#include "check/certify/evidence.h"

namespace isomer::check {

Failure failing_axiom(const SettledHistory& ordered, Level level) {
  switch (level) {
    case Level::RC:
      return failing_read_committed(ordered);
    case Level::RA:
      return failing_read_atomic(ordered);
    case Level::CC:
      return failing_causal(ordered);
    case Level::PC:
      return failing_prefix(ordered);
    case Level::PSI:
      return failing_parallel_snapshot(ordered);
    case Level::SI:
      return failing_snapshot(ordered);
    case Level::SER:
      return failing_serializability(ordered);
  }
  return "unknown level";
}

}  // namespace isomer::check
