// SPDX-License-Identifier: MIT
// Only what holds of every history that a reader, the generator or the model finder can
// make.  Fewer facts can only make fewer proofs; a false one would make false proofs, so
// a test evaluates this text on many histories.
//
// Left out on purpose: that sessions are chains, that wr is acyclic, and everything about
// flawed reads.
#include "synth/history_facts.h"

#include <string_view>

#include "base/assert.h"
#include "level/library.h"

namespace isomer::synth {
namespace {

constexpr std::string_view text = R"(
framework history {}

level Any : history {
  axiom SessionOrder: irreflexive so and transitive so
  axiom InitFirst:    (init * Txn) \ id in so
  axiom InitWrites:   forall x: Key { init in W[x] }
  axiom InitNoReader: empty wr ; [init]
  axiom ReadsFrom:    forall x: Key { wr[x] in (W[x] * R[x]) \ id }
  axiom SameReader:   forall x, y: Key { rf[x] ; po ; rf[y]^-1 in wr[x] ; wr[y]^-1 }
  axiom OneWriter:    rf ; rf^-1 in id
  axiom ReadOrder:    irreflexive po and transitive po
}
)";

}  // namespace

const level::Level& history_facts() {
  static const level::Level facts = [] {
    const auto levels = level::parse_levels("history", text);
    ISOMER_ASSERT(levels.has_value());
    return levels->front();
  }();
  return facts;
}

}  // namespace isomer::synth
