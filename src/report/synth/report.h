// SPDX-License-Identifier: MIT
// The result of `isomer synth` for people and for programs.  Everything here returns
// strings; nothing prints.
#pragma once

#include <string>
#include <vector>

#include "check/check.h"
#include "synth/synth.h"

namespace isomer::report {

struct Synthesized {
  std::vector<std::string> allow;  // as the person called the levels
  std::vector<std::string> forbid;
  const synth::Result& result;
  std::string algorithm{};  // its name as an option
  bool is_smallest_wanted = true;
  std::string proof;  // that none of any size exists, if that was proved
};

struct SynthTextOptions {
  bool colour = false;
  // The command as the person typed it, for the hint of what to do next; empty: no hint.
  std::string command;
};

std::string synth_text(const Synthesized& synthesized, const SynthTextOptions& options);
std::string synth_json(const Synthesized& synthesized);
std::string synth_dot(const Synthesized& synthesized);
std::string synth_html(const Synthesized& synthesized);

}  // namespace isomer::report
