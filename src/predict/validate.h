// SPDX-License-Identifier: MIT
// Section 5 of the paper: does the application really do what was predicted?  It is run
// again, each read returning what the prediction says as long as the program asks for it
// and the level allows it.  Whether what then happened is serializable decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "predict/predict.h"
#include "program/ir.h"
#include "program/machine/machine.h"
#include "store/store.h"

namespace isomer::predict {

enum class Validity : std::uint8_t {
  Validated,  // the run is as predicted, and not serializable
  Diverged,   // the run left the prediction, and is not serializable all the same
  Refuted,    // the run is serializable
  Unknown     // not decided in time
};

std::string_view name(Validity validity);  // "validated", ...

struct Validation {
  Validity validity = Validity::Unknown;
  store::Run run;  // its divergence says where it left the prediction
};

// Which call of the program each transaction of an observed history is; or why that is not
// known.  Sessions correspond as in scripts.  Within a session a transaction that is named
// after a call ("withdraw(1, 100)") is the next call of that text, so a history need not
// have the transactions that were rolled back; if the names say nothing, the calls are
// taken in turn.
using Calls = std::vector<store::Place>;  // by transaction; that of the initial one is any
tl::expected<Calls, std::string> calls_of(const program::Program& program,
                                          const History& observed);

struct Replay {
  const program::Program& program;
  const store::Store& store;  // of the program
  const History& observed;
  const Calls& calls;
  program::Granularity granularity = program::Granularity::Row;
};

// Runs the transactions of the prediction and no others, those with a boundary in full.
Validation validate(const Prediction& prediction, const Replay& replay,
                    const check::AskedLevel& level, const Budget& search);

}  // namespace isomer::predict
