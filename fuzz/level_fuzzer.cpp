// SPDX-License-Identifier: MIT
// Reads arbitrary bytes as a level text.  Whatever is accepted is made of closed formulas,
// and whatever is not has a message.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "level/library.h"

namespace {

using namespace isomer::level;

void require_sound(const Level& level) {
  for (const Axiom& axiom : level.axioms) {
    const Term& formula = level.terms[axiom.formula];
    ISOMER_ASSERT(formula.type.kind == Kind::Formula);
    ISOMER_ASSERT(formula.free_variables == 0);
  }
  for (const Witness& witness : level.witnesses)
    ISOMER_ASSERT(witness.on.is_none() != witness.is_total_order);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto levels = parse_levels("input", bytes);
  if (levels)
    for (const Level& level : *levels)
      require_sound(level);
  else
    ISOMER_ASSERT(!isomer::render(levels.error()).empty());
  return 0;
}
