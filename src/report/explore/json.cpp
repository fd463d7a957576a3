// SPDX-License-Identifier: MIT
#include <algorithm>

#include "report/database/report.h"
#include "report/explore/report.h"
#include "report/failing_history/failing_history.h"
#include "report/json.h"

namespace isomer::report {
namespace {

constexpr std::string_view algorithms[] = {"dpor", "dfs"};
constexpr std::string_view finds[] = {"all", "failing", "unserializable"};
constexpr std::string_view granularities[] = {"row", "table", "field"};

template <std::size_t count, class Enumeration>
std::string_view name_in(const std::string_view (&names)[count], Enumeration value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

std::string history_line(const history::History& history) {
  return history_json(history).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string explore_json(const Explored& e) {
  const explore::Result& result = e.result;
  Json out{{"level", level_name(e.options.level)},
           {"base", result.base_name},
           {"algorithm", name_in(algorithms, e.options.algorithm)},
           {"find", name_in(finds, e.options.find)},
           {"granularity", name_in(granularities, e.options.granularity)},
           {"histories", result.histories},
           {"end_states", result.end_states},
           {"explored", result.explored},
           {"blocked", result.blocked},
           {"pruned", result.pruned},
           {"assertion_failures", result.assertion_failures},
           {"unserializable", result.unserializable},
           {"complete", result.is_complete}};
  if (!result.is_complete) out["reason"] = result.unknown;
  out["failure"] =
      result.failure ? failing_history_json(failing_history(e)) : Json(nullptr);
  if (e.there != nullptr)
    out["failure"]["on"] = on_server_json(e.there->program, e.there->there);
  out["seconds"] = result.seconds;
  out["peak_mib"] = result.peak_mib;
  return document_text(out);
}

}  // namespace isomer::report
