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
  check::Result left_not_right;  // why the right level forbids that counterexample
  check::Result right_not_left;
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

struct LatticeShown {
  const synth::Lattice& lattice;
  std::vector<check::Result> evidence;  // by edge: why the stronger class forbids it
};

std::string lattice_text(const LatticeShown& shown, const CompareTextOptions& options);
std::string lattice_json(const LatticeShown& shown);
std::string lattice_dot(const LatticeShown& shown);
Expected<std::string> lattice_html(const LatticeShown& shown);

}  // namespace isomer::report
