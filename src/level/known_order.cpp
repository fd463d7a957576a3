// SPDX-License-Identifier: MIT
// The arguments, where they are not plain from the texts.
//
// biswas and cerone: co = ar; for a commit order of biswas the least visibility that cerone
// asks for is so | wr (RA), its closure (CC), co* ; (so | wr) (PC), with the write
// conflicts (SI), or co itself (SER); its EXT is then the axiom of biswas.
//
// anode: without transitive visibility, its PSI is word for word the UA of cerone.
//
// adya: SS-PL-SI is SI by Cerone and Gotsman, Analysing snapshot isolation, PODC 2016,
// theorem 9, and SS-PL-3 is SER by any topological order of the dependencies.  Without
// sessions, the same arguments give crooks: SER is PL-3, SI is PL-SI; PSI is PL-2+ (Crooks
// et al., PODC 2017), with an execution that follows ww | wr; RC is PL-2 likewise.
//
// plume: CC is CC, since co is total: a missed write that is not against co is in it.  RA
// and RC of biswas imply those of plume but not the reverse: k and l overlook sessions, and
// h and i two reads of one key.  Repeatable reads close the second gap, so plume:RA still
// implies RC.
#include "level/known_order.h"

#include <algorithm>
#include <array>

#include "level/library.h"

namespace isomer::level {
namespace {

constexpr auto table = std::to_array<Implication>({
    {"biswas:SER", "biswas:SI"},     {"biswas:SI", "biswas:PC"},
    {"biswas:PC", "biswas:CC"},      {"biswas:CC", "biswas:RA"},
    {"biswas:RA", "biswas:RC"},

    {"biswas:RA", "cerone:RA"},      {"cerone:RA", "biswas:RA"},
    {"biswas:CC", "cerone:CC"},      {"cerone:CC", "biswas:CC"},
    {"biswas:PC", "cerone:PC"},      {"cerone:PC", "biswas:PC"},
    {"biswas:SI", "cerone:SI"},      {"cerone:SI", "biswas:SI"},
    {"biswas:SER", "cerone:SER"},    {"cerone:SER", "biswas:SER"},

    {"cerone:SI", "cerone:PSI"},     {"cerone:PSI", "cerone:CC"},
    {"cerone:PSI", "cerone:UA"},     {"cerone:UA", "cerone:RA"},
    {"cerone:RA", "cerone:EC"},      {"cerone:EC", "cerone:RA"},

    {"anode:PSI", "cerone:UA"},      {"cerone:UA", "anode:PSI"},

    {"adya:PL-3", "adya:PL-2.99"},   {"adya:PL-2.99", "adya:PL-3"},
    {"adya:PL-3", "adya:PL-SI"},     {"adya:PL-SI", "adya:PL-2+"},
    {"adya:PL-2+", "adya:PL-2"},     {"adya:PL-2", "adya:PL-1"},
    {"adya:SS-PL-3", "adya:PL-3"},   {"adya:SS-PL-3", "adya:SS-PL-SI"},
    {"adya:SS-PL-SI", "adya:PL-SI"}, {"adya:SS-PL-SI", "adya:SS-PL-2"},
    {"adya:SS-PL-2", "adya:PL-2"},

    {"adya:SS-PL-3", "biswas:SER"},  {"biswas:SER", "adya:SS-PL-3"},
    {"adya:SS-PL-SI", "biswas:SI"},  {"biswas:SI", "adya:SS-PL-SI"},
    {"plume:RC", "adya:SS-PL-2"},

    {"crooks:SER", "adya:PL-3"},     {"adya:PL-3", "crooks:SER"},
    {"crooks:SI", "adya:PL-SI"},     {"adya:PL-SI", "crooks:SI"},
    {"crooks:PSI", "adya:PL-2+"},    {"adya:PL-2+", "crooks:PSI"},
    {"crooks:RC", "adya:PL-2"},      {"adya:PL-2", "crooks:RC"},
    {"crooks:PSI", "crooks:RA"},     {"crooks:RA", "crooks:RC"},
    {"cerone:PSI", "crooks:PSI"},    {"plume:RA", "crooks:RA"},

    {"plume:CC", "biswas:CC"},       {"biswas:CC", "plume:CC"},
    {"biswas:RA", "plume:RA"},       {"plume:RA", "biswas:RC"},
    {"plume:RA", "plume:CI"},        {"biswas:RC", "plume:RC"},
});

}  // namespace

std::span<const Implication> known_implications() {
  return table;
}

bool is_known_to_imply(std::string_view level, std::string_view implied) {
  std::vector<std::string_view> reached{level};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const Implication& row : table)
      if (row.level == reached[i] &&
          std::find(reached.begin(), reached.end(), row.implied) == reached.end())
        reached.push_back(row.implied);
  return std::find(reached.begin(), reached.end(), implied) != reached.end();
}

Relatives relatives_of(std::string_view qualified_name) {
  Relatives out;
  for (const Level& level : standard_levels()) {
    const std::string name = level.qualified_name();
    if (name == qualified_name) continue;
    const bool is_implied = is_known_to_imply(qualified_name, name);
    const bool implies = is_known_to_imply(name, qualified_name);
    if (is_implied && implies)
      out.equivalent.push_back(name);
    else if (is_implied)
      out.implied.push_back(name);
    else if (implies)
      out.implied_by.push_back(name);
  }
  return out;
}

}  // namespace isomer::level
