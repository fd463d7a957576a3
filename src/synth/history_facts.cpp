#include "synth/history_facts.h"

namespace isomer::synth {
const level::Level& history_facts() {
  static level::Level l;
  return l;
}
}  // namespace isomer::synth
