// SPDX-License-Identifier: MIT
// Layer by layer: the histories of n transactions, of n + 1, and so on.  Those that read
// alike are one history, in whatever order their transactions ran.
//
// All levels are prefix-closed, so a level may be asked of complete histories only, or of
// each step on the way; the latter is done for the levels that are decided fast, for
// programs of which `true` allows too many.
#include "support/explore/brute_force.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/machine/evaluate.h"
#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "store/invariants.h"

namespace isomer::explore {
namespace {

using history::History;
using history::TxnId;
using program::Machine;

constexpr std::uint32_t transactions_max = 31;

// The sessions of a program's transactions, by number; the initial one has none.
std::vector<std::size_t> sessions_of(const Program& program) {
  std::vector<std::size_t> out{SIZE_MAX};
  for (std::size_t s = 0; s < program.sessions.size(); ++s)
    out.insert(out.end(), program.sessions[s].calls.size(), s);
  return out;
}

bool is_written(const Outcome& history, const KeyName& key) {
  return std::ranges::any_of(history.transactions, [&](const auto& ran) {
    return ran && ran->writes.contains(key);
  });
}

std::string text_of(const Outcome& history) {
  std::string out;
  for (std::size_t i = 0; i < history.transactions.size(); ++i) {
    if (!history.transactions[i]) continue;
    const Ran& ran = *history.transactions[i];
    out += fmt::format("{}{}:", i + 1, ran.is_committed ? "" : " aborted");
    for (const auto& [key, writer] : ran.reads)
      if (is_written(history, key)) out += fmt::format(" {}<{}", key, writer);
    out += "; ";
  }
  return out;
}

struct Search {
  const Program& program;
  const Bounds& bounds;
  AnyLevel level = bounds.level;
  Space space{.program = &program, .histories = {}, .granularity = bounds.granularity};
  std::map<KeyName, Value> initial = program::initial_database(program, bounds.granularity);
  std::map<KeyName, Value> universe = initial;  // for scans; the values do not count
  std::vector<std::size_t> session_of = sessions_of(program);
  std::vector<const program::Call*> calls{};
  std::map<std::string, Outcome> next_layer{};
  std::map<KeyName, Value> new_keys{};  // written, but not in the universe

  // The initial one first.
  [[nodiscard]] std::vector<std::uint32_t> writers_of(const Outcome& history,
                                                      const KeyName& key) const {
    std::vector<std::uint32_t> out{0};
    for (std::uint32_t i = 0; i < history.transactions.size(); ++i)
      if (const auto& ran = history.transactions[i]; ran && ran->writes.contains(key))
        out.push_back(i + 1);
    return out;
  }

  [[nodiscard]] Value written(const Outcome& history, std::uint32_t number,
                              const KeyName& key) const {
    if (number != 0) return history.transactions[number - 1]->writes.at(key);
    const auto found = initial.find(key);
    return found == initial.end() ? Value() : found->second;
  }

  [[nodiscard]] Outcome extended(Outcome history, std::uint32_t number, Ran ran) const {
    history.transactions[number - 1] = std::make_shared<const Ran>(std::move(ran));
    return history;
  }

  // A transaction that is not over has no writes that others could see.
  [[nodiscard]] bool is_allowed_so_far(const Outcome& history, std::uint32_t number,
                                       Ran ran) const {
    if (!level) return true;
    ran.writes.clear();
    return allows(level, space, extended(history, number, std::move(ran)));
  }

  // All ways in which a transaction can go on to its end.
  void finish(const Outcome& history, std::uint32_t number, Ran ran) {
    while (true) {
      program::Step step = ran.machine.next();
      if (const auto* read = std::get_if<program::WantsRead>(&step)) {
        const std::vector<std::uint32_t> writers = writers_of(history, read->key);
        if (writers.size() == 1) {  // no choice, and nobody whom it could miss
          ran.reads.emplace_back(read->key, 0);
          ran.machine.answer(written(history, 0, read->key));
          continue;
        }
        for (const std::uint32_t writer : writers) {
          Ran copy = ran;
          copy.reads.emplace_back(read->key, writer);
          copy.machine.answer(written(history, writer, read->key));
          if (is_allowed_so_far(history, number, copy))
            finish(history, number, std::move(copy));
        }
        return;
      }
      if (const auto* write = std::get_if<program::WritesKey>(&step)) {
        if (!universe.contains(write->key)) new_keys.emplace(write->key, Value());
        ran.writes[write->key] = write->value;
        continue;
      }
      if (const auto* scan = std::get_if<program::WantsUniverse>(&step)) {
        ran.machine.answer(program::universe_of(scan->prefix, universe));
        continue;
      }
      end(history, number, std::move(ran), step);
      return;
    }
  }

  void end(const Outcome& history, std::uint32_t number, Ran ran,
           const program::Step& step) {
    ran.is_committed = std::holds_alternative<program::Commits>(step);
    if (!ran.is_committed) ran.writes.clear();
    if (const auto* failed = std::get_if<program::FailsAssert>(&step))
      ran.failed_assert = failed->at;
    Outcome longer = extended(history, number, std::move(ran));
    longer.text = text_of(longer);
    if (allows(level, space, longer)) next_layer.emplace(longer.text, std::move(longer));
  }

  [[nodiscard]] bool is_next(const Outcome& history, std::uint32_t number) const {
    if (history.transactions[number - 1]) return false;
    return session_of[number - 1] != session_of[number] || history.transactions[number - 2];
  }

  void extend_all(const std::map<std::string, Outcome>& layer) {
    for (const auto& [unused, history] : layer) {
      for (std::uint32_t number = 1; number <= calls.size(); ++number)
        if (is_next(history, number))
          finish(history, number,
                 {.reads = {},
                  .writes = {},
                  .failed_assert = {},
                  .machine = Machine(program, *calls[number - 1],
                                     program::argument_values(*calls[number - 1]),
                                     bounds.granularity)});
      if (next_layer.size() > bounds.count_max) return;
    }
  }

  bool run() {
    std::map<std::string, Outcome> layer;
    layer[""].transactions.resize(calls.size());
    for (std::size_t length = 0; length < calls.size(); ++length) {
      next_layer.clear();
      extend_all(layer);
      if (next_layer.size() > bounds.count_max) return false;
      layer = std::exchange(next_layer, {});
    }
    for (auto& [unused, history] : layer)
      space.histories.push_back(std::move(history));
    return true;
  }

  // Until scans know every row that is written.
  std::optional<Space> run_until_closed() {
    for (const program::Session& session : program.sessions)
      for (const program::Call& call : session.calls)
        calls.push_back(&call);
    ISOMER_ASSERT(calls.size() <= transactions_max);
    for (;;) {
      space.histories.clear();
      if (!run()) return std::nullopt;
      if (program.tables.empty() || new_keys.empty()) return std::move(space);
      universe.merge(new_keys);
      new_keys.clear();
    }
  }
};

// The transaction whose last write of the key has this value.  A History gives every write
// of a key a value of its own.
std::uint32_t writer_of(const History& history, history::KeyId key, history::Value value) {
  if (history.initial_value(key) == value) return 0;
  for (std::uint32_t t = 1; t < history.txn_count(); ++t)
    if (history.status({t}) == history::Status::Committed &&
        history.written_value({t}, key) == value)
      return t;
  return UINT32_MAX;
}

}  // namespace

std::optional<Space> brute_force(const Program& program, const Bounds& bounds) {
  return Search{.program = program, .bounds = bounds}.run_until_closed();
}

Shape shape_of(const Space& space, const Outcome& history, Counting counting) {
  const std::vector<std::size_t> session_of = sessions_of(*space.program);
  Shape out;
  out.count = static_cast<std::uint32_t>(session_of.size());
  out.before.resize(out.count);
  std::map<KeyName, std::uint32_t> keys;
  for (std::uint32_t t = 1; t < out.count; ++t) {
    const auto& ran = history.transactions[t - 1];
    if (!ran || (counting == Counting::Committed && !ran->is_committed)) continue;
    out.before[t] = 1;
    for (std::uint32_t earlier = 1; earlier < t; ++earlier)
      if (session_of[earlier] == session_of[t]) out.before[t] |= Set{1} << earlier;
    for (const auto& [key, writer] : ran->reads) {
      const auto x = keys.try_emplace(key, keys.size()).first->second;
      out.reads.push_back({.reader = t, .key = x, .writer = writer});
    }
    for (const auto& [key, unused] : ran->writes)
      keys.try_emplace(key, keys.size());
  }
  out.writers.assign(keys.size(), 1);
  for (std::uint32_t t = 1; t < out.count; ++t)
    if (const auto& ran = history.transactions[t - 1])
      for (const auto& [key, unused] : ran->writes)
        out.writers[keys.at(key)] |= Set{1} << t;
  return out;
}

bool allows(AnyLevel level, const Space& space, const Outcome& history) {
  return !level || allows(level, shape_of(space, history, Counting::All));
}

bool is_serializable(const Space& space, const Outcome& history) {
  return allows(check::Level::SER, shape_of(space, history, Counting::Committed));
}

std::vector<std::string> broken_asserts(const Space& space, const Outcome& history) {
  const Program& program = *space.program;
  std::map<std::string, const Ran*> by_label;
  std::size_t number = 0;
  for (const program::Session& session : program.sessions)
    for (const program::Call& call : session.calls)
      by_label[program.types[call.type].name] = history.transactions[number++].get();
  program::Context context;
  context.named = [&](const program::Expression& local) {
    const auto found = by_label.find(local.label);
    return found == by_label.end() ? Value() : found->second->machine.local(local.name);
  };
  std::vector<std::string> out;
  for (const program::Invariant& invariant : program.invariants) {
    context.fault.reset();
    if (!program::holds(*invariant.assert, nullptr, context)) out.push_back(invariant.name);
  }
  return out;
}

void for_each_final_state(const Space& space, const Outcome& history, AnyLevel level,
                          const std::function<void(const store::FinalState&)>& visit) {
  const auto initial = program::initial_database(*space.program, space.granularity);
  std::set<std::map<KeyName, std::uint32_t>> seen;  // who wrote each key last
  const auto take = [&](const std::vector<std::uint32_t>& order) {
    std::map<KeyName, std::uint32_t> last;
    store::FinalState state = initial;
    for (const std::uint32_t t : order)
      if (t != 0)
        for (const auto& [key, value] : history.transactions[t - 1]->writes) {
          last[key] = t;
          state[key] = value;
        }
    if (!seen.insert(last).second) return false;
    std::erase_if(state, [](const auto& entry) { return entry.second.is_null(); });
    visit(state);
    return false;
  };
  has_commit_order(level, shape_of(space, history, Counting::All), take);
}

std::set<std::string> broken_invariants(const Space& space, const Outcome& history,
                                        AnyLevel level) {
  const Program& program = *space.program;
  const Program queries = store::invariant_program(program);
  std::set<std::string> out;
  for_each_final_state(space, history, level, [&](const store::FinalState& state) {
    for (const store::InvariantOutcome& outcome :
         store::check_invariants(program, queries, state, {}, space.granularity))
      if (!outcome.holds) out.insert(outcome.name);
  });
  return out;
}

bool fails_assertion(const Space& space, const Outcome& history, AnyLevel level) {
  if (std::ranges::any_of(history.transactions,
                          [](const auto& ran) { return ran->failed_assert.has_value(); }))
    return true;
  return space.program->tables.empty() ? !broken_asserts(space, history).empty()
                                       : !broken_invariants(space, history, level).empty();
}

std::string canonical(const History& history) {
  std::string out;
  for (std::uint32_t t = 1; t < history.txn_count(); ++t) {
    const TxnId id{t};
    const bool is_committed = history.status(id) == history::Status::Committed;
    out += fmt::format("{}{}:", t, is_committed ? "" : " aborted");
    for (const history::Operation& operation : history.operations(id))
      if (operation.kind == history::OpKind::Read &&
          !history.writers(operation.key).empty())
        out += fmt::format(" {}<{}", history.key_name(operation.key),
                           writer_of(history, operation.key, operation.value()));
    out += "; ";
  }
  return out;
}

std::set<std::string> allowed(const Space& space, AnyLevel level) {
  std::set<std::string> out;
  for (const Outcome& history : space.histories)
    if (allows(level, space, history)) out.insert(history.text);
  return out;
}

}  // namespace isomer::explore
