// SPDX-License-Identifier: MIT
// The result of `isomer compare` for people and for programs.  Everything here returns
// strings; nothing prints.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/check.h"
#include "synth/compare.h"

namespace isomer::report {

struct Compared {
  std::string left;  // as the person called the levels
  std::string right;
  const synth::Comparison& comparison;
};

struct CompareTextOptions {
  bool colour = false;
  // The command as the person typed it, for the hint of what to do next; empty: no hint.
  std::string command;
};

std::string compare_text(const Compared& compared, const CompareTextOptions& options);
std::string compare_json(const Compared& compared);
std::string compare_dot(const Compared& compared);
std::string compare_html(const Compared& compared);

std::string lattice_text(const synth::Lattice& lattice, const CompareTextOptions& options);
std::string lattice_json(const synth::Lattice& lattice);
std::string lattice_dot(const synth::Lattice& lattice);
Expected<std::string> lattice_html(const synth::Lattice& lattice);

}  // namespace isomer::report
