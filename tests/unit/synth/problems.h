// SPDX-License-Identifier: MIT
// The benchmark of the paper: 46 problems over 18 definitions, b of Biswas and Enea and c
// of Cerone et al.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "synth/synth.h"

namespace isomer::synth {

struct BenchmarkProblem {
  std::string_view allow;  // "SI_b,UpdateSer_b"
  std::string_view forbid;
  bool is_satisfiable;
};

// clang-format off
inline constexpr std::array<BenchmarkProblem, 46> benchmark = {{
    // one framework
    {"RA_b", "CC_b", true},   {"RA_c", "CC_c", true},   {"CC_b", "PC_b", true},
    {"CC_c", "PC_c", true},   {"PC_b", "SI_b", true},   {"PC_c", "SI_c", true},
    {"SI_b", "SER_b", true},  {"SI_c", "SER_c", true},  {"SI_b,UpdateSer_b", "SER_b", true},
    {"SI_c,UpdateSer_c", "SER_c", true},                {"RA_tap", "RA_b", true},
    // two
    {"RA_b", "CC_c", true},   {"RA_c", "CC_b", true},   {"CC_b", "PC_c", true},
    {"CC_c", "PC_b", true},   {"PC_b", "SI_c", true},   {"PC_c", "SI_b", true},
    {"SI_b", "SER_c", true},  {"SI_c", "SER_b", true},
    {"SI_c,UpdateSer_c", "SER_b", true}, {"SI_c,UpdateSer_b", "SER_c", true},
    {"SI_c,UpdateSer_b", "SER_b", true}, {"SI_b,UpdateSer_c", "SER_c", true},
    {"SI_b,UpdateSer_c", "SER_b", true}, {"SI_b,UpdateSer_b", "SER_c", true},
    // one
    {"CC_b", "RA_b", false},  {"CC_c", "RA_c", false},  {"PC_b", "CC_b", false},
    {"PC_c", "CC_c", false},  {"SI_b", "PC_b", false},  {"SI_c", "PC_c", false},
    {"SER_b", "SI_b", false}, {"SER_c", "SI_c", false}, {"RA_b", "RA_tap", false},
    {"CC_b", "CC_tap", false}, {"CC_tap", "CC_b", false},
    // two
    {"RA_b", "RA_c", false},  {"RA_c", "RA_b", false},  {"CC_b", "CC_c", false},
    {"CC_c", "CC_b", false},  {"PC_b", "PC_c", false},  {"PC_c", "PC_b", false},
    {"SI_b", "SI_c", false},  {"SI_c", "SI_b", false},  {"SER_b", "SER_c", false},
    {"SER_c", "SER_b", false},
}};
// clang-format on

// The level behind "SI_b", "UpdateSer_c" or "RA_tap"; a list with commas gives several.
std::vector<Level> benchmark_levels(std::string_view names);

}  // namespace isomer::synth
