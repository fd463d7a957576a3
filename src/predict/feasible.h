// SPDX-License-Identifier: MIT
// Section 4.1 and 4.5 of the paper, appendix B.1: which histories could be a run of the
// same application.  Named as there: choice is who a read reads from, boundary is the last
// operation of a session.
#pragma once

#include <vector>

#include "logic/circuit.h"
#include "predict/observed.h"
#include "predict/predict.h"

namespace isomer::predict {

using logic::Bit;
using logic::Circuit;

struct Choice {
  TxnNumber writer;
  Bit bit;  // the read is there and reads from this writer
};

// A place where a session may end.
struct BoundaryPlace {
  TxnNumber txn;
  std::uint32_t position;
  std::uint32_t op;
  Bit bit;
};

struct Feasible {
  std::vector<std::vector<BoundaryPlace>> boundary;  // by session; none true: no boundary
  std::vector<Bit> is_in;                            // by transaction: takes part
  std::vector<Bit> read_is_in;                       // by read
  std::vector<std::vector<Choice>> reads_from;       // by read, that takes part
  std::vector<std::vector<Bit>> writes;  // by transaction, then its keys: one is in
  std::vector<Bit> changed;              // by read: takes part, reads another
  std::vector<Bit> free;  // variables: what differs from the observed run if it holds
  std::vector<Bit> facts;

  // Takes part, and writes the key inside its boundary.
  [[nodiscard]] Bit is_writer(const Observed& observed, TxnNumber txn, KeyNumber key) const;
};

// `readable`: by read, whom else it may read from (observed.h).  Of no use if the circuit
// is exhausted.
Feasible encode_feasible(Circuit& circuit, const Observed& observed, bool is_strict,
                         Boundary boundary,
                         const std::vector<std::vector<TxnNumber>>& readable);

}  // namespace isomer::predict
