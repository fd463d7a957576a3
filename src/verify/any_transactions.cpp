// SPDX-License-Identifier: MIT
#include "verify/any_transactions.h"

#include <numeric>

#include <fmt/format.h>

namespace isomer::verify {
namespace {

using program::Program;

void add_call(Program& program, std::uint32_t type_index, std::uint32_t number) {
  const program::TransactionType& type = program.types[type_index];
  program::Call call;
  call.type = type_index;
  for (std::uint32_t i = 0; i < type.parameter_count; ++i) {
    const program::Variable& parameter = type.variables[i];
    const std::string name = fmt::format("{}{}", parameter.name, number);
    program.symbols.push_back(
        {.name = name, .type = parameter.type, .value = std::nullopt, .at = parameter.at});
    auto argument = std::make_shared<program::Expression>();
    argument->kind = program::Expression::Kind::Symbol;
    argument->type = parameter.type;
    argument->name = name;
    call.arguments.push_back(std::move(argument));
    call.text += fmt::format("{}?{}", i == 0 ? "" : ", ", name);
  }
  call.text = fmt::format("{}({})", type.name, call.text);
  program.sessions.push_back(
      {.name = fmt::format("s{}", number), .calls = {std::move(call)}});
}

// Types in ascending order, as each choice once.
void choose_types(const Program& base, std::vector<std::uint32_t>& chosen,
                  std::uint32_t count, std::vector<Program>& out) {
  if (chosen.size() == count) {
    Program program = base;
    for (std::uint32_t i = 0; i < count; ++i)
      add_call(program, chosen[i], i + 1);
    out.push_back(std::move(program));
    return;
  }
  for (std::uint32_t type = chosen.empty() ? 0 : chosen.back(); type < base.types.size();
       ++type) {
    chosen.push_back(type);
    choose_types(base, chosen, count, out);
    chosen.pop_back();
  }
}

}  // namespace

std::vector<Program> any_transactions(const Program& program, std::uint32_t count) {
  Program base = program;
  base.sessions.clear();
  base.symbols.clear();
  base.assumptions.clear();
  base.initial_rows.clear();
  base.initial_invariants.resize(base.invariants.size());
  std::iota(base.initial_invariants.begin(), base.initial_invariants.end(), 0U);
  std::vector<Program> out;
  std::vector<std::uint32_t> chosen;
  choose_types(base, chosen, count, out);
  return out;
}

}  // namespace isomer::verify
