// SPDX-License-Identifier: MIT
// Final asserts, over the locals of labelled transactions.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "program/litmus/parser.h"

namespace isomer::program {

ExpressionPtr LitmusParser::final_expression() {
  LitmusNames names;
  names.local = [&](const LitmusToken& name) {
    tokens.fail(name.at, fmt::format("expected 'label.{}', the local of a labelled "
                                     "transaction",
                                     name.text));
    return ExpressionPtr();
  };
  names.final = [&](const LitmusToken& label, const LitmusToken& name) {
    auto out = std::make_shared<Expression>();
    out->kind = Expression::Kind::FinalLocal;
    out->at = {label.at.first, name.at.last};
    out->label = label.text;
    out->name = name.text;
    mentions.push_back({out->label, label.at, out->name, name.at});
    return out;
  };
  return parse_litmus_expression(tokens, names);
}

bool LitmusParser::final_assert() {
  tokens.next();
  Invariant out;
  out.assert = final_expression();
  if (!out.assert) return false;
  out.text = tokens.source(out.assert->at);
  out.name = out.text;
  if (!tokens.expect(";", "after the assertion")) return false;
  program.invariants.push_back(std::move(out));
  return true;
}

void LitmusParser::check_mentions() {
  for (const Mention& mention : mentions)
    check_mention(mention);
}

void LitmusParser::check_mention(const Mention& mention) {
  std::vector<const TransactionType*> found;
  std::vector<std::string> known;
  for (const TransactionType& type : program.types) {
    known.push_back(type.name);
    if (type.name == mention.label) found.push_back(&type);
  }
  if (found.empty()) {
    const auto near = nearest(mention.label, known);
    tokens.fail(mention.label_at,
                fmt::format("no transaction is labelled '{}'{}", mention.label,
                            near ? fmt::format("; did you mean '{}'?", *near) : ""));
    return;
  }
  if (found.size() > 1) {
    tokens.fail(mention.label_at,
                fmt::format("{} transactions are labelled '{}'; a label in an assert must "
                            "be unique",
                            found.size(), mention.label));
    for (const TransactionType* type : found)
      tokens.add_note(type->at, "one of them begins here");
    return;
  }
  check_local(mention, *found.front());
}

void LitmusParser::check_local(const Mention& mention, const TransactionType& type) {
  std::vector<std::string> known;
  for (const Variable& variable : type.variables)
    known.push_back(variable.name);
  if (std::find(known.begin(), known.end(), mention.name) != known.end()) return;
  const auto near = nearest(mention.name, known);
  tokens.fail(
      mention.name_at,
      fmt::format("transaction '{}' has no local '{}'{}", mention.label, mention.name,
                  near ? fmt::format("; did you mean '{}'?", *near) : ""));
  tokens.add_note(type.at, "it begins here");
}

}  // namespace isomer::program
