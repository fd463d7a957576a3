// SPDX-License-Identifier: MIT
// A transaction on a server: statements are handed out whole, and an error need not be the
// end.  An EXCEPTION block is a savepoint: an error in it is rolled back to there and goes
// to the first handler that names it; after an error in a script, everything is passed over
// until ROLLBACK TO.
#include <algorithm>

#include <fmt/format.h>

#include "program/machine/machine_state.h"

namespace isomer::program {
namespace {

// A loop that asks a server goes on until its heaps have no end.
constexpr std::uint64_t questions_max = 10'000;

bool has_query(const Expression& expression) {
  return expression.query != nullptr ||
         std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [](const ExpressionPtr& part) { return part && has_query(*part); });
}

// "23000" stands for its whole class.  OTHERS leaves out what tells of the program's own
// mistakes, and a cancelled query.
bool handles(const Handler& handler, std::string_view sqlstate) {
  if (handler.sqlstates.empty()) return sqlstate != "P0004" && sqlstate != "57014";
  return std::any_of(
      handler.sqlstates.begin(), handler.sqlstates.end(), [&](const std::string& named) {
        return named == sqlstate ||
               (named.ends_with("000") && named.substr(0, 2) == sqlstate.substr(0, 2));
      });
}

}  // namespace

// --- questions and answers ---

std::optional<StatementAnswer> Machine::State::answer_of(AsksServer what) {
  if (server_answers_used < server_answers.size())
    return server_answers[server_answers_used++];
  if (++questions > questions_max) {
    abort(Fault{
        .reason = fmt::format("the transaction has more than {} statements", questions_max),
        .sqlstate = "54000",
        .at = at,
        .is_limit = true});
    return std::nullopt;
  }
  asked = std::move(what);
  return std::nullopt;
}

std::optional<StatementAnswer> Machine::State::answer_of(const Statement& statement) {
  return answer_of(
      {.kind = AsksServer::Kind::Statement, .statement = &statement, .at = statement.at});
}

bool Machine::State::is_servers(const Expression& expression) const {
  return is_on_server && has_query(expression);
}

std::optional<Value> Machine::State::servers_value(const Expression& expression) {
  const auto answer = answer_of(
      {.kind = AsksServer::Kind::Value, .expression = &expression, .at = expression.at});
  if (!answer) return std::nullopt;
  return answer->rows.empty() ? Value() : answer->rows[0][0];
}

Machine Machine::on_server(const Program& program, const Call& call,
                           std::vector<Value> arguments, MachineLimits limits) {
  Machine out(program, call, std::move(arguments), Granularity::Row, limits);
  out.state_->is_on_server = true;
  return out;
}

void Machine::answer(StatementAnswer answer) {
  State& state = own_state();
  if (!state.asked_between.empty()) {
    state.asked_between.erase(state.asked_between.begin());
    return;
  }
  ISOMER_ASSERT(state.asked);
  state.asked.reset();
  state.server_answers.push_back(std::move(answer));
}

void Machine::fail(Fault fault) {
  State& state = own_state();
  state.asked.reset();
  state.asked_between.clear();
  state.forget_answers();
  state.abort(std::move(fault));
}

Bindings Machine::bindings() const {
  return {.variables = state_->variables,
          .found = state_->found,
          .row_count = state_->row_count};
}

// --- statements ---

void Machine::State::execute_lock(const Statement& statement) {
  if (!is_on_server)
    return abort("0A000", "only a database level gives a meaning to this lock");
  const auto answer = answer_of(statement);
  if (!answer || !give(statement.targets, answer->rows, Surplus::Ignored)) return;
  if (statement.kind == Statement::Kind::AdvisoryLock) {
    found = true;
    row_count = 1;
  }
  finish_statement();
}

void Machine::State::execute_savepoint(const Statement& statement) {
  if (!is_on_server)
    return abort("0A000", "only a database level gives a meaning to savepoints");
  using Kind = AsksServer::Kind;
  const bool begins = statement.kind == Statement::Kind::Savepoint;
  const auto place = std::find(savepoints.rbegin(), savepoints.rend(), statement.label);
  if (!begins && place == savepoints.rend())
    return abort("3B001", fmt::format("savepoint \"{}\" does not exist", statement.label));
  const auto kind = begins                                          ? Kind::Savepoint
                    : statement.kind == Statement::Kind::RollbackTo ? Kind::RollbackTo
                                                                    : Kind::Release;
  if (!answer_of({.kind = kind,
                  .statement = &statement,
                  .savepoint = statement.label,
                  .at = statement.at}))
    return;
  if (begins)
    savepoints.push_back(statement.label);
  else
    savepoints.erase(place.base() - (kind == Kind::Release ? 1 : 0), savepoints.end());
  finish_statement();
}

// --- EXCEPTION ---

// Names that no program can write, one for each depth.
std::string Machine::State::savepoint_of(std::size_t frame) const {
  return fmt::format("exception {}", frame);
}

void Machine::State::execute_protect(const Statement& statement) {
  if (!is_on_server)
    return abort("0A000", "only a database level gives a meaning to EXCEPTION");
  const std::string savepoint = savepoint_of(frames.size());
  if (!answer_of({.kind = AsksServer::Kind::Savepoint,
                  .savepoint = savepoint,
                  .at = statement.at}))
    return;
  finish_statement();
  frames.push_back({.block = &statement.body, .protects = &statement});
}

// Whoever leaves the body of an EXCEPTION block alive keeps what it did.
void Machine::State::pop_frame() {
  if (const Statement* block = frames.back().protects)
    asked_between.push_back({.kind = AsksServer::Kind::Release,
                             .savepoint = savepoint_of(frames.size() - 1),
                             .at = block->at});
  frames.pop_back();
}

std::optional<Machine::State::Rescue> Machine::State::rescue_from(
    std::string_view sqlstate) const {
  for (std::size_t i = frames.size(); i-- > 0;) {
    if (frames[i].protects == nullptr) continue;
    for (const Handler& handler : frames[i].protects->handlers)
      if (handles(handler, sqlstate)) return Rescue{.frame = i, .handler = &handler};
  }
  return std::nullopt;
}

void Machine::State::rescue(const Rescue& rescue, Fault fault) {
  const Statement& block = *frames[rescue.frame].protects;
  const std::string savepoint = savepoint_of(rescue.frame);
  for (const auto kind : {AsksServer::Kind::RollbackTo, AsksServer::Kind::Release})
    asked_between.push_back({.kind = kind, .savepoint = savepoint, .at = block.at});
  frames.resize(rescue.frame);
  forget_answers();
  if (block.error_code)
    variables[block.error_code->index] = Value::text(fault.handled_as());
  if (block.error_text) variables[block.error_text->index] = Value::text(fault.reason);
  frames.push_back({.block = &rescue.handler->body, .handled = std::move(fault)});
}

bool Machine::State::passes_over() {
  if (!type->is_script || frames.empty()) return false;
  Frame& frame = frames.front();
  for (std::size_t i = frame.position + 1; i < frame.block->size(); ++i) {
    const Statement& statement = (*frame.block)[i];
    if (statement.kind != Statement::Kind::RollbackTo ||
        std::find(savepoints.begin(), savepoints.end(), statement.label) ==
            savepoints.end())
      continue;
    frame.position = i;
    forget_answers();
    return true;
  }
  return false;
}

}  // namespace isomer::program
