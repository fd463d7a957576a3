// SPDX-License-Identifier: MIT
#include "history/generate.h"

#include <algorithm>

#include "history/simulate/simulate.h"

namespace isomer::history {

History generate(const GenerateOptions& asked) {
  GenerateOptions options = asked;
  options.sessions = std::max(options.sessions, 1U);
  options.operations = std::max(options.operations, 1U);
  options.keys = std::max(options.keys, 1U);
  switch (options.mode) {
    case Mode::Serial:
      return simulate::serial(options, {});
    case Mode::Snapshot:
      return simulate::snapshot(options);
    case Mode::Causal:
      return simulate::causal(options);
    case Mode::ReadCommitted:
      return simulate::read_committed(options);
    case Mode::Broken:
      return simulate::broken(options);
  }
  return {};
}

}  // namespace isomer::history
