// SPDX-License-Identifier: MIT
#include "program/sql/names.h"

#include <algorithm>

#include <fmt/format.h>

namespace isomer::program {

void VariableNames::open_block(std::string label) {
  blocks_.push_back({.label = std::move(label), .names = {}});
}

void VariableNames::close_block() {
  blocks_.pop_back();
}

VariableId VariableNames::add(Variable variable) {
  const VariableId id{static_cast<std::uint32_t>(variables_.size())};
  blocks_.back().names.emplace_back(variable.name, id);
  variables_.push_back(std::move(variable));
  return id;
}

VariableId VariableNames::add_hidden(std::string_view purpose, const Type& type, Span at) {
  const VariableId id{static_cast<std::uint32_t>(variables_.size())};
  Variable variable;
  variable.name = fmt::format(".{} {}", purpose, ++hidden_count_);
  variable.type = type;
  variable.at = at;
  variables_.push_back(std::move(variable));
  return id;
}

VariableId VariableNames::add_copy(const Variable& variable, std::string_view routine,
                                   Span at) {
  const VariableId id{static_cast<std::uint32_t>(variables_.size())};
  Variable copy = variable;
  if (variable.name.starts_with('.')) {  // ".routine 1 name" with another number
    const std::size_t number = variable.name.find(' ');
    const std::size_t rest =
        std::min(variable.name.find(' ', number + 1), copy.name.size());
    copy.name = fmt::format("{} {}{}", variable.name.substr(0, number), ++hidden_count_,
                            variable.name.substr(rest));
  } else {
    copy.name = fmt::format(".{} {} {}", routine, ++hidden_count_, variable.name);
  }
  copy.is_parameter = false;
  copy.is_constant = false;
  copy.initial = nullptr;
  copy.at = at;
  variables_.push_back(std::move(copy));
  return id;
}

void VariableNames::rename(std::string name, VariableId variable) {
  blocks_.back().names.emplace_back(std::move(name), variable);
}

const VariableId* VariableNames::BlockNames::find(const std::string& name) const {
  const auto found = std::find_if(names.rbegin(), names.rend(),
                                  [&](const auto& entry) { return entry.first == name; });
  return found == names.rend() ? nullptr : &found->second;
}

std::optional<VariableName> VariableNames::member(VariableId record,
                                                  const std::string& field) const {
  const Variable& of = variables_[record.index];
  if (of.type.kind != TypeKind::Record) return std::nullopt;
  const auto found = std::find(of.fields.begin(), of.fields.end(), field);
  if (found == of.fields.end())
    return VariableName{.variable = record, .field = {}, .lacks_field = true};
  return VariableName{.variable = record,
                      .field = static_cast<std::uint32_t>(found - of.fields.begin())};
}

std::optional<VariableName> VariableNames::find_in(
    const BlockNames& block, std::span<const std::string> words) const {
  if (const VariableId* id = block.find(words[0])) {
    if (words.size() == 1) return VariableName{.variable = *id, .field = {}};
    if (words.size() == 2)
      if (const auto found = member(*id, words[1])) return found;
  }
  if (words.size() == 1 || block.label.empty() || block.label != words[0])
    return std::nullopt;
  const VariableId* id = block.find(words[1]);
  if (id == nullptr) return std::nullopt;
  if (words.size() == 2) return VariableName{.variable = *id, .field = {}};
  return member(*id, words[2]);
}

std::optional<VariableName> VariableNames::find(std::span<const std::string> words) const {
  if (words.empty() || words.size() > 3) return std::nullopt;
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
    if (const auto found = find_in(*block, words)) return found;
  return std::nullopt;
}

bool VariableNames::is_in_innermost(const std::string& name) const {
  return blocks_.back().find(name) != nullptr;
}

std::vector<std::string> VariableNames::visible() const {
  std::vector<std::string> out;
  for (const BlockNames& block : blocks_)
    for (const auto& [name, id] : block.names)
      out.push_back(name);
  return out;
}

}  // namespace isomer::program
