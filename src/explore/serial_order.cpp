// SPDX-License-Identifier: MIT
#include "explore/serial_order.h"

#include <algorithm>
#include <set>

#include "database/model.h"
#include "program/machine/serial.h"

namespace isomer::explore {
namespace {

using database::LoggedStatement;
using database::LoggedTransaction;
using database::Model;
using database::Reply;

constexpr std::size_t executions_max = 2'000;

// Without an ORDER BY, rows come in any order.
bool is_same(const Reply& a, const Reply& b) {
  const auto sorted = [](const Reply& reply) {
    auto rows = reply.rows;
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  return a.kind == b.kind && a.count == b.count && a.fault.sqlstate == b.fault.sqlstate &&
         sorted(a) == sorted(b);
}

struct OrderSearch {
  const database::Scenario& scenario;
  const database::AccessLog& log;
  const std::vector<store::Place>& calls;
  const Budget& budget;
  std::vector<std::size_t> order{};
  std::set<std::size_t> placed{};
  std::size_t executions = 0;

  [[nodiscard]] const LoggedTransaction& committed(std::size_t place) const {
    return log.transactions()[log.committed()[place]];
  }

  // Did the statement that comes next in the transaction tell nothing?  Then its reply.
  [[nodiscard]] static const Reply* failure_at(const LoggedTransaction& wanted,
                                               std::size_t statement,
                                               const program::AsksServer& what) {
    using Kind = program::AsksServer::Kind;
    const bool is_statement = what.kind == Kind::Statement || what.kind == Kind::Value;
    if (!is_statement || statement >= wanted.statements.size()) return nullptr;
    const Reply& reply = wanted.statements[statement].reply;
    return database::has_told_nothing(reply) ? &reply : nullptr;
  }

  // Runs the call by itself; does it do what the transaction did?
  bool does_the_same(Model& model, std::size_t place) {
    ++executions;
    const auto [session, index] = calls[place];
    const program::Call& call = scenario.program.sessions[session].calls[index];
    auto machine =
        program::Machine::on_server(scenario.program, call, program::argument_values(call));
    model.begin(session, scenario.begin[call.type]);
    const LoggedTransaction& wanted = committed(place);
    const auto done = [&]() -> const LoggedTransaction& {
      return model.state().accesses()->transactions().back();
    };
    std::size_t failures = 0;
    program::Step next = machine.next();
    while (const auto* what = std::get_if<program::AsksServer>(&next)) {
      const Reply* const failure =
          failure_at(wanted, done().statements.size() + failures, *what);
      if (failure != nullptr) ++failures;
      Reply reply =
          failure != nullptr ? *failure : model.ask(session, *what, machine.bindings());
      if (reply.kind == Reply::Kind::Failed)
        machine.fail(std::move(reply.fault));
      else
        machine.answer({.rows = std::move(reply.rows), .count = reply.count});
      next = machine.next();
    }
    if (!std::holds_alternative<program::Commits>(next) ||
        model.commit(session).kind != Reply::Kind::Done)
      return false;
    std::vector<const Reply*> replies;
    for (const LoggedStatement& statement : wanted.statements)
      if (!database::has_told_nothing(statement.reply)) replies.push_back(&statement.reply);
    return std::equal(replies.begin(), replies.end(), done().statements.begin(),
                      done().statements.end(),
                      [](const Reply* reply, const LoggedStatement& statement) {
                        return is_same(*reply, statement.reply);
                      }) &&
           database::final_writes(scenario.program, wanted) ==
               database::final_writes(scenario.program, done());
  }

  // Is an earlier one of its session still to come?
  [[nodiscard]] bool is_too_early(std::size_t place) const {
    for (std::size_t before = 0; before < place; ++before)
      if (calls[before].first == calls[place].first && !placed.contains(before))
        return true;
    return false;
  }

  bool finds(const Model& model) {
    if (order.size() == calls.size()) return true;
    for (std::size_t place = 0; place < calls.size(); ++place) {
      if (placed.contains(place) || is_too_early(place)) continue;
      if (executions >= executions_max || budget.is_exhausted()) return false;
      Model next = model;
      if (!does_the_same(next, place)) continue;
      order.push_back(place);
      placed.insert(place);
      if (finds(next)) return true;
      order.pop_back();
      placed.erase(place);
    }
    return false;
  }
};

}  // namespace

std::optional<std::vector<std::size_t>> serial_order(const database::Scenario& scenario,
                                                     const database::AccessLog& log,
                                                     const std::vector<store::Place>& calls,
                                                     const Budget& budget) {
  OrderSearch search{.scenario = scenario, .log = log, .calls = calls, .budget = budget};
  const Model start(database::recorded_server(scenario.server, scenario.program,
                                              scenario.program.sessions.size()));
  if (!search.finds(start)) return std::nullopt;
  return std::move(search.order);
}

}  // namespace isomer::explore
