// SPDX-License-Identifier: MIT
// What a scenario says of transaction types: levels and workloads; and how the server is
// set up that runs them.
#include <fmt/format.h>

#include "program/scenario/draw.h"
#include "program/scenario/reader.h"

namespace isomer::program {

std::optional<std::uint32_t> ScenarioReader::type_named(const std::string& name, Span at) {
  Names known;
  for (std::uint32_t i = 0; i < program_.types.size(); ++i) {
    if (program_.types[i].name == name) return i;
    known.push_back(program_.types[i].name);
  }
  fail(at, fmt::format("there is no transaction '{}'{}", name, hint(name, known)));
  return std::nullopt;
}

void ScenarioReader::read_levels() {
  const TomlValue* section = table("levels");
  if (section == nullptr) return;
  for (const TomlEntry& entry : section->entries) {
    if (entry.key == "serial") {
      program_.levels.serial_at = here(entry.at);
      read_serial(entry.value);
    } else if (expect(entry.value, TomlValue::Kind::String, "a level")) {
      read_level(entry);
    }
  }
}

void ScenarioReader::read_level(const TomlEntry& entry) {
  LevelAssignment& levels = program_.levels;
  if (entry.key == "default") {
    levels.by_default = entry.value.text;
    levels.default_at = here(entry.value.at);
  } else if (const auto type = type_named(entry.key, entry.at)) {
    levels.types.emplace_back(*type, entry.value.text);
    levels.types_at.push_back(here(entry.value.at));
  }
}

void ScenarioReader::read_serial(const TomlValue& groups) {
  if (!expect(groups, TomlValue::Kind::Array, "levels.serial")) return;
  for (const TomlValue& group : groups.items) {
    if (!expect(group, TomlValue::Kind::Array, "each item of levels.serial")) return;
    std::vector<std::uint32_t> types;
    for (const TomlValue& name : group.items)
      if (expect(name, TomlValue::Kind::String, "a transaction"))
        if (const auto type = type_named(name.text, name.at)) types.push_back(*type);
    program_.levels.serial.push_back(std::move(types));
  }
}

void ScenarioReader::read_server_settings() {
  const TomlValue* section = table("database");
  if (section == nullptr) return;
  for (const TomlEntry& entry : section->entries) {
    const TomlValue& value = entry.value;
    if (value.kind == TomlValue::Kind::String || value.kind == TomlValue::Kind::Literal)
      program_.server_settings.push_back({.name = entry.key,
                                          .value = value.text,
                                          .at = here(entry.at),
                                          .value_at = here(value.at)});
    else
      fail(value.at, fmt::format("{} must be a word, true or false", entry.key));
  }
}

void ScenarioReader::read_workload() {
  const TomlValue* section = table("workload");
  if (section == nullptr) return;
  for (const TomlEntry& entry : section->entries) {
    const auto type = type_named(entry.key, entry.at);
    if (!type) continue;
    if (entry.value.kind != TomlValue::Kind::Table) {
      fail(entry.value.at, "expected { weight = N, args = [..] }");
      continue;
    }
    check_keys(entry.value, "[workload]", {"weight", "args"});
    WorkloadType drawn{.type = *type, .weight = 0, .arguments = {}, .at = here(entry.at)};
    if (read_weight(entry, drawn) && read_draws(entry, drawn))
      program_.workload.push_back(std::move(drawn));
  }
}

bool ScenarioReader::read_weight(const TomlEntry& entry, WorkloadType& drawn) {
  constexpr std::uint32_t weight_max = 1'000'000;
  const TomlValue* weight = entry.value.find("weight");
  const bool is_number = weight != nullptr && whole_number(*weight, drawn.weight);
  if (is_number && drawn.weight <= weight_max) return true;
  fail(weight == nullptr ? entry.at : weight->at,
       fmt::format("expected weight = N, a number from 0 to {}", weight_max));
  return false;
}

bool ScenarioReader::read_draws(const TomlEntry& entry, WorkloadType& drawn) {
  const TomlValue* arguments = entry.value.find("args");
  if (arguments != nullptr && !expect(*arguments, TomlValue::Kind::Array, "args"))
    return false;
  const std::size_t given = arguments == nullptr ? 0 : arguments->items.size();
  const std::uint32_t wanted = program_.types[drawn.type].parameter_count;
  if (given != wanted) {
    fail(arguments == nullptr ? entry.at : arguments->at,
         fmt::format("{} takes {} arguments, found {}", entry.key, wanted, given));
    return false;
  }
  for (std::size_t i = 0; i < given; ++i) {
    const TomlValue& text = arguments->items[i];
    if (!expect(text, TomlValue::Kind::String, "an argument")) return false;
    auto draw = parse_draw(text.text, drawn.arguments);
    if (!draw) {
      const bool is_in_place = text.inside.last != 0;
      const std::uint32_t first =
          is_in_place ? text.inside.first + static_cast<std::uint32_t>(draw.error().offset)
                      : text.at.first;
      fail({.first = first, .last = text.at.last}, draw.error().message);
      return false;
    }
    drawn.arguments.push_back(std::move(*draw));
  }
  return true;
}

}  // namespace isomer::program
