// SPDX-License-Identifier: MIT
#include "report/json.h"
#include "level/known_order.h"
#include "report/levels/report.h"

namespace isomer::report {
namespace {

using level::Level;

Json axioms(const Level& level) {
  Json out = Json::array();
  for (const level::Axiom& axiom : level.axioms)
    if (!axiom.is_shape)
      out.push_back({{"name", axiom.name}, {"of_framework", axiom.is_base}});
  return out;
}

Json one(const Level& level) {
  Json out{{"name", level.name},      {"framework", level.framework},
           {"title", level.title},    {"witnesses", Json::array()},
           {"axioms", axioms(level)}, {"text", level.text},
           {"context", level.context}};
  for (const level::Witness& witness : level.witnesses)
    out["witnesses"].push_back(witness.name);
  if (!level.file.empty()) {
    out["file"] = level.file;
    return out;
  }
  const level::Relatives relatives = level::relatives_of(level.qualified_name());
  out["equivalent"] = relatives.equivalent;
  out["implied"] = relatives.implied;
  out["implied_by"] = relatives.implied_by;
  return out;
}

}  // namespace

std::string levels_json(const ListedLevels& levels, const Diagnostics& errors) {
  Json list = Json::array();
  for (const Level& level : levels.texts)
    list.push_back(one(level));
  for (const database::DatabaseLevel& level : levels.of_databases)
    list.push_back({{"name", database::short_name(level)},
                    {"framework", database::name(level.database)},
                    {"title", database::long_name(level)}});
  Json out{{"levels", list}};
  if (!errors.empty()) out["errors"] = diagnostics_json(errors);
  constexpr auto replace = Json::error_handler_t::replace;
  return out.dump(2, ' ', false, replace) + "\n";
}

}  // namespace isomer::report
