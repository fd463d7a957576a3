// SPDX-License-Identifier: MIT
#include "program/plpgsql/rename_variables.h"

#include <map>

namespace isomer::program {
namespace {

class Renaming {
 public:
  explicit Renaming(const std::vector<VariableId>& renamed) : renamed_(renamed) {}

  Block block(const Block& from) {
    Block out = from;
    for (Statement& s : out)
      change(s);
    return out;
  }

 private:
  void change(VariableId& id) {
    if (!id.is_none()) id = renamed_[id.index];
  }

  void change(Targets& targets) {
    for (VariableId& id : targets.variables)
      change(id);
  }

  void change(ExpressionPtr& e) {
    if (!e) return;
    const auto [known, is_new] = expressions_.try_emplace(e.get());
    if (is_new) {
      auto copy = std::make_shared<Expression>(*e);
      if (copy->kind == Expression::Kind::Variable) change(copy->variable);
      change(copy->arguments);
      change(copy->query);
      known->second = std::move(copy);
    }
    e = known->second;
  }

  void change(std::vector<ExpressionPtr>& list) {
    for (ExpressionPtr& e : list)
      change(e);
  }

  void change(std::vector<Source>& sources) {
    for (Source& source : sources)
      change(source.left_join_on);
  }

  void change(std::vector<Assignment>& assignments) {
    for (Assignment& assignment : assignments)
      change(assignment.value);
  }

  void change(SelectPtr& query) {
    if (!query) return;
    auto copy = std::make_shared<Select>(*query);
    change(copy->from);
    change(copy->where);
    change(copy->columns);
    change(copy->group_by);
    change(copy->having);
    for (OrderKey& key : copy->order)
      change(key.by);
    change(copy->limit);
    change(copy->offset);
    query = std::move(copy);
  }

  void change_parts(Insert& insert) {
    for (auto& row : insert.rows)
      change(row);
    change(insert.query);
    change(insert.updates);
    change(insert.update_where);
  }

  void change_parts(Update& update) {
    change(update.from);
    change(update.assignments);
    change(update.where);
  }

  void change_parts(Delete& erase) {
    change(erase.from);
    change(erase.where);
  }

  template <class Change>
  void change(std::shared_ptr<const Change>& statement) {
    if (!statement) return;
    auto copy = std::make_shared<Change>(*statement);
    change_parts(*copy);
    change(copy->returning);
    change(copy->into);
    statement = std::move(copy);
  }

  void change(Statement& s) {
    const bool has_variable =
        s.kind == Statement::Kind::Assign || s.kind == Statement::Kind::ForRange;
    if (has_variable) change(s.variable);
    change(s.key);
    change(s.value);
    change(s.limit);
    change(s.step);
    change(s.query);
    change(s.targets);
    change(s.insert);
    change(s.update);
    change(s.erase);
    for (Block* inner : {&s.body, &s.otherwise})
      for (Statement& statement : *inner)
        change(statement);
  }

  const std::vector<VariableId>& renamed_;
  std::map<const Expression*, ExpressionPtr> expressions_;
};

}  // namespace

Block with_variables(const Block& block, const std::vector<VariableId>& renamed) {
  return Renaming(renamed).block(block);
}

std::size_t statement_count(const Block& block) {
  std::size_t out = block.size();
  for (const Statement& s : block)
    out += statement_count(s.body) + statement_count(s.otherwise);
  return out;
}

}  // namespace isomer::program
