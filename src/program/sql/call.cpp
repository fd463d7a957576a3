// SPDX-License-Identifier: MIT
// RETURN in the callee must leave its body only.  If it stands anywhere but at the end, the
// body becomes a loop that is left after its first round, and RETURN becomes EXIT of it.
// FOUND belongs to each routine; it is saved and restored where anyone asks for it.
#include "program/sql/call.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "program/sql/nodes.h"

namespace isomer::program {
namespace {

// The callee's statements, about variables of the caller.
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
      if (copy->change) {
        auto inner = std::make_shared<Statement>(*copy->change);
        change(*inner);
        copy->change = std::move(inner);
      }
      known->second = std::move(copy);
    }
    e = known->second;
  }

  void change(std::vector<ExpressionPtr>& list) {
    for (ExpressionPtr& e : list)
      change(e);
  }

  void change(std::vector<Source>& sources) {
    for (Source& source : sources) {
      change(source.rows);
      change(source.left_join_on);
    }
  }

  void change(std::vector<CommonTable>& with) {
    for (CommonTable& common : with)
      change(common.rows);
  }

  void change(std::vector<Assignment>& assignments) {
    for (Assignment& assignment : assignments)
      change(assignment.value);
  }

  void change(SelectPtr& query) {
    if (!query) return;
    auto copy = std::make_shared<Select>(*query);
    change(copy->with);
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

  void change_parts(Merge& merge) {
    change(merge.from);
    change(merge.where);
    for (Merge::When& when : merge.whens) {
      change(when.condition);
      change(when.assignments);
      change(when.values);
    }
  }

  template <class Change>
  void change(std::shared_ptr<const Change>& statement) {
    if (!statement) return;
    auto copy = std::make_shared<Change>(*statement);
    change(copy->with);
    change_parts(*copy);
    if constexpr (!std::is_same_v<Change, Merge>) {
      change(copy->returning);
      change(copy->into);
    }
    statement = std::move(copy);
  }

  void change(Statement& s) {
    const bool has_variable = s.kind == Statement::Kind::Assign ||
                              s.kind == Statement::Kind::ForRange ||
                              s.kind == Statement::Kind::ForEach;
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
    change(s.merge);
    change(s.advisory);
    for (std::optional<VariableId>* error : {&s.error_code, &s.error_text})
      if (*error) change(**error);
    for (Block* inner : blocks_of(s))
      for (Statement& statement : *inner)
        change(statement);
  }

  void change(std::shared_ptr<const AdvisoryLock>& lock) {
    if (!lock) return;
    auto copy = std::make_shared<AdvisoryLock>(*lock);
    change(copy->key);
    lock = std::move(copy);
  }

  const std::vector<VariableId>& renamed_;
  std::map<const Expression*, ExpressionPtr> expressions_;
};

// Variable i becomes renamed[i]; expressions that share parts still do.
Block with_variables(const Block& block, const std::vector<VariableId>& renamed) {
  return Renaming(renamed).block(block);
}

// Statements in the block, with those inside others.
std::size_t statement_count(const Block& block) {
  std::size_t out = block.size();
  for (const Statement& s : block)
    for (const Block* inner : blocks_of(s))
      out += statement_count(*inner);
  return out;
}

constexpr std::size_t statements_max = 10'000;

Statement statement(Statement::Kind kind, Span at, ExpressionPtr value = nullptr) {
  Statement out;
  out.kind = kind;
  out.at = at;
  out.value = std::move(value);
  return out;
}

Statement assignment(VariableId variable, ExpressionPtr value, Span at) {
  Statement out = statement(Statement::Kind::Assign, at, std::move(value));
  out.variable = variable;
  return out;
}

ExpressionPtr truth(bool value, Span at) {
  return make_constant(Value::boolean(value), type(TypeKind::Bool), at);
}

bool has_return(const Block& block) {
  return std::any_of(block.begin(), block.end(), [](const Statement& s) {
    const auto returns = [](const Block* inner) { return has_return(*inner); };
    return s.kind == Statement::Kind::Return || std::ranges::any_of(blocks_of(s), returns);
  });
}

struct Inlining {
  const ScriptRoutine& callee;
  VariableId result;
  std::string label;

  // What the callee does first: its variables start afresh with every call.
  [[nodiscard]] Block initial_values() const {
    Block out;
    const auto& variables = callee.type.variables;
    for (std::uint32_t i = callee.type.parameter_count; i < variables.size(); ++i) {
      const Variable& of = variables[i];
      if (of.name.starts_with('.')) continue;  // always assigned before it is read
      out.push_back(assignment(
          {i}, of.initial ? of.initial : make_constant({}, of.type, of.at), of.at));
    }
    return out;
  }

  void replace_return(const Statement& s, Block& out) const {
    if (s.value && !result.is_none()) out.push_back(assignment(result, s.value, s.at));
  }

  // RETURN as assignment and EXIT.
  [[nodiscard]] Block without_returns(Block block) const {
    Block out;
    for (Statement& s : block) {
      for (Block* inner : blocks_of(s))
        *inner = without_returns(std::move(*inner));
      if (s.kind != Statement::Kind::Return) {
        out.push_back(std::move(s));
        continue;
      }
      replace_return(s, out);
      out.push_back(statement(Statement::Kind::Exit, s.at));
      out.back().label = label;
    }
    return out;
  }

  [[nodiscard]] Block body(const std::vector<VariableId>& renamed, Span at) const {
    Block all = with_variables(callee.type.body, renamed);
    const bool ends_in_return = !all.empty() && all.back().kind == Statement::Kind::Return;
    if (!ends_in_return && callee.type.result.kind != TypeKind::Any) {
      all.push_back(statement(Statement::Kind::Raise, at));
      all.back().text = "control reached end of function without RETURN";
      all.back().sqlstate = "2F005";
    }
    if (ends_in_return) {
      const Statement last = std::move(all.back());
      all.pop_back();
      replace_return(last, all);
    }
    if (!has_return(all)) return all;
    Statement once = statement(Statement::Kind::While, at, truth(true, at));
    once.label = label;
    once.body = without_returns(std::move(all));
    once.body.push_back(statement(Statement::Kind::Exit, at));
    once.body.back().label = label;
    return {std::move(once)};
  }
};

void append(Block& out, Block more) {
  std::move(more.begin(), more.end(), std::back_inserter(out));
}

// Lowered already, or now; null after a complaint.
const ScriptRoutine* ready(Analysis& in, ScriptRoutine& callee, Routine& caller, Span at) {
  using State = ScriptRoutine::State;
  if (callee.state == State::Open) {
    in.fail(at, fmt::format("{} calls itself, which is not supported", callee.name));
    return nullptr;
  }
  if (callee.state == State::Waiting) lower_routine(*in.routines, callee);
  if (callee.state != State::Done) return nullptr;
  caller.inlined += statement_count(callee.type.body);
  if (caller.inlined <= statements_max) return &callee;
  in.fail(at, fmt::format("the routines called here have more than {} statements together",
                          statements_max));
  return nullptr;
}

}  // namespace

ScriptRoutine* Routines::find(const std::string& name) const {
  for (const auto& routine : all)
    if (routine->name == name) return routine.get();
  return nullptr;
}

VariableId saved_found(CallSite& site, Span at) {
  Expression found;
  found.kind = Expression::Kind::Found;
  found.type = type(TypeKind::Bool);
  found.at = at;
  const VariableId saved = site.caller.names.add_hidden("found", found.type, at);
  site.out->push_back(assignment(saved, make(std::move(found)), at));
  return saved;
}

void restore_found(CallSite& site, VariableId saved, Span at) {
  if (saved.is_none()) return;
  site.out->push_back(
      statement(Statement::Kind::SetFound, at,
                make_variable(site.caller.names, {.variable = saved, .field = {}}, at)));
}

std::vector<VariableId> inline_call(Analysis& in, ScriptRoutine& callee,
                                    std::vector<ExpressionPtr> arguments, Span at,
                                    VariableId result) {
  Routine& caller = in.call_site->caller;
  Block& out = *in.call_site->out;
  if (ready(in, callee, caller, at) == nullptr) return {};
  const std::uint32_t wanted = callee.type.parameter_count;
  if (arguments.size() != wanted) {
    in.fail(at, fmt::format("{} takes {}, not {}", callee.name, counted(wanted, "argument"),
                            arguments.size()));
    return {};
  }
  std::vector<VariableId> renamed;
  for (const Variable& variable : callee.type.variables)
    renamed.push_back(caller.names.add_copy(variable, callee.name, at));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Type& of = callee.type.variables[i].type;
    const ExpressionPtr value = coerced(in, arguments[i], of, Willing::Implicit);
    if (is_broken(*value)) return {};
    out.push_back(assignment(renamed[i], value, at));
  }
  const VariableId found = caller.mentions_found || callee.mentions_found
                               ? saved_found(*in.call_site, at)
                               : VariableId::none();
  if (!found.is_none())
    out.push_back(statement(Statement::Kind::SetFound, at, truth(false, at)));
  const Inlining inlining{.callee = callee,
                          .result = result,
                          .label = fmt::format(".{} {}", callee.name, renamed.size())};
  append(out, with_variables(inlining.initial_values(), renamed));
  append(out, inlining.body(renamed, at));
  restore_found(*in.call_site, found, at);
  return renamed;
}

ExpressionPtr analyze_call(Analysis& in, const FromScope& scope, const std::string& name,
                           std::vector<ExpressionPtr> arguments, Span at) {
  ScriptRoutine* callee = in.routines == nullptr ? nullptr : in.routines->find(name);
  if (callee == nullptr) return nullptr;
  const auto refuse = [&](std::string_view where) {
    return complaint(in, at,
                     fmt::format("a call of {} {} is not supported; assign its value to a "
                                 "variable first",
                                 name, where));
  };
  if (callee->is_procedure)
    return complaint(in, at, fmt::format("{} is a procedure; use CALL", name));
  if (in.call_site == nullptr || in.call_site->out == nullptr || !scope.sources.empty() ||
      scope.outer != nullptr)
    return refuse("inside a query");
  if (!in.no_calls_in.empty()) return refuse(fmt::format("inside {}", in.no_calls_in));
  Routine& caller = in.call_site->caller;
  if (ready(in, *callee, caller, at) == nullptr) return broken(at);
  caller.inlined -= statement_count(callee->type.body);  // counted when it is copied
  const Type of = callee->type.result;
  if (of.kind == TypeKind::Record)
    return complaint(in, at,
                     fmt::format("{} has several results, which is not supported "
                                 "in an expression",
                                 name));
  const bool has_result = of.kind != TypeKind::Any;
  const VariableId result =
      has_result ? caller.names.add_hidden(name, of, at) : VariableId::none();
  if (inline_call(in, *callee, std::move(arguments), at, result).empty() &&
      !callee->type.variables.empty())
    return broken(at);
  return has_result ? make_variable(caller.names, {.variable = result, .field = {}}, at)
                    : make_constant({}, type(TypeKind::Text), at);
}

}  // namespace isomer::program
