// SPDX-License-Identifier: MIT
#include "support/predict/against_explore.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "check/check.h"
#include "explore/explore.h"
#include "predict/predict.h"
#include "predict/validate.h"
#include "store/script.h"
#include "store/store.h"
#include "support/predict/against_brute_force.h"

namespace isomer::predict {
namespace {

constexpr double explore_seconds = 5;
constexpr std::size_t histories_max = 3000;
constexpr std::size_t predictions_max = 3;

struct Event {
  bool is_write = false;
  std::string key;
  std::string value;
  std::string writer;  // of a read
};

struct Ran {
  bool is_committed = false;
  std::vector<Event> events;                               // writes, and reads from others
  std::vector<std::pair<std::string, std::string>> tried;  // if rolled back: key, writer
};

using RunByName = std::map<std::string, Ran>;

// Histories mark a value that another write has too: "7 #2".
std::string unmarked(const std::string& value) {
  return value.substr(0, value.find(" #"));
}

std::vector<Event> events_of(const History& history, TxnId txn) {
  std::vector<Event> out;
  auto read = history.reads(txn).begin();
  const std::uint32_t first = history.first_op(txn);
  for (std::uint32_t i = 0; i < history.operations(txn).size(); ++i) {
    const history::Operation& op = history.operations(txn)[i];
    const bool is_write = op.kind == history::OpKind::Write;
    const bool is_read = read != history.reads(txn).end() && read->op == first + i;
    if (!is_write && !is_read) continue;
    out.push_back({is_write, history.key_name(op.key), unmarked(history.text(op.value())),
                   is_read ? history.txn_name(read->writer) : ""});
    if (is_read) ++read;
  }
  return out;
}

// What a transaction that was rolled back had read, as far as values tell.
std::vector<std::pair<std::string, std::string>> tried_in(const History& history,
                                                          TxnId txn) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const store::KnownRead& read : store::known_reads(history, txn))
    out.emplace_back(history.key_name(read.key),
                     read.writer.is_none() ? "?" : history.txn_name(read.writer));
  return out;
}

RunByName run_of(const History& history) {
  RunByName out;
  for (TxnId t{1}; t.index < history.txn_count(); ++t.index) {
    const bool is_committed = history.status(t) == history::Status::Committed;
    out[history.txn_name(t)] = {
        is_committed, events_of(history, t),
        is_committed ? decltype(Ran::tried)() : tried_in(history, t)};
  }
  return out;
}

// Those of the observed run that were rolled back before one that takes part.
std::vector<std::string> tries_before(const Prediction& prediction,
                                      const History& observed) {
  std::vector<std::string> out;
  for (TxnId t{1}; t.index < observed.txn_count(); ++t.index) {
    if (observed.status(t) != history::Status::Aborted) continue;
    if (std::ranges::any_of(prediction.origin,
                            [&](TxnId part) { return observed.so(t, part); }))
      out.push_back(observed.txn_name(t));
  }
  return out;
}

// What a transaction writes behind a read that has changed may have other values.
bool is_first_part(const Ran& part, const Ran& whole, const Ran& observed) {
  if (!whole.is_committed || part.events.size() > whole.events.size()) return false;
  bool is_changed = false;
  for (std::size_t i = 0; i < part.events.size(); ++i) {
    const Event& one = part.events[i];
    const Event& other = whole.events[i];
    if (one.is_write != other.is_write || one.key != other.key) return false;
    if (one.writer != other.writer) return false;
    is_changed = is_changed || one.writer != observed.events[i].writer;
    if (one.value != other.value && !(is_changed && one.is_write)) return false;
  }
  return true;
}

bool is_first_part(const RunByName& part, const RunByName& whole,
                   const RunByName& observed) {
  return std::ranges::all_of(part, [&](const auto& item) {
    return is_first_part(item.second, whole.at(item.first), observed.at(item.first));
  });
}

// What is known of a program before it runs.
struct Outline {
  bool has_branches = false;
  bool may_fail = false;
  std::map<std::string, std::set<std::string>> writes;  // by label: keys, on some branch
};

// From the words of the text: "k0" = 0, begin "t1", read("k0"), write("k0", ...), braces
// around branches.  Who reads a key without an initial value may fail to compute with it.
Outline outline_of(const std::string& text) {
  static const std::regex word(R"re("([^"]*)" = |begin "([^"]*)")re"
                               R"re(|read\("([^"]*)"|write\("([^"]*)")re"
                               R"re(|abort;|commit;|\{|\})re");
  Outline out;
  std::set<std::string> initial;
  std::string label;  // empty outside of transactions
  int depth = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i) {
    const std::smatch& match = *i;
    if (match[1].matched) initial.insert(match[1]);
    if (match[2].matched) label = match[2];
    if (label.empty()) continue;
    const std::string found = match.str();
    if (found == "{") ++depth;
    if (found == "}") --depth;
    if (found == "commit;") label.clear();
    if (match[4].matched) out.writes[label].insert(match[4]);
    out.has_branches = out.has_branches || depth > 0;
    out.may_fail = out.may_fail || (depth > 0 && found == "abort;") ||
                   (match[3].matched && !initial.contains(match[3]));
  }
  return out;
}

class Comparison {
 public:
  explicit Comparison(const AskedOfProgram& asked)
      : asked_(asked), outline_(outline_of(asked.litmus)) {}

  Compared run() {
    const program::Program& program = asked_.program;
    const store::Store store(program);
    const History observed = store
                                 .run({.level = {},
                                       .seed = asked_.seed,
                                       .granularity = asked_.granularity,
                                       .budget = {}})
                                 .history;
    if (obstacle(observed)) return out_;
    observed_ = run_of(observed);
    const auto calls = calls_of(program, observed);
    for (const Strategy strategy : strategies) {
      const Result result = predict(observed, {.level = asked_.level,
                                               .strategy = strategy,
                                               .count_max = predictions_max,
                                               .budget = {}});
      if (!result.unknown.empty()) out_.why = "unknown: " + result.unknown;
      for (const Prediction& prediction : result.predictions) {
        ++out_.predictions;
        if (!explore_all()) return {};
        std::string why = wrong(prediction, strategy,
                                {.program = program,
                                 .store = store,
                                 .observed = observed,
                                 .calls = *calls,
                                 .granularity = asked_.granularity});
        if (why.empty()) continue;
        out_.why = fmt::format("{}: {}\n{}", name(strategy), why, text(prediction.history));
        return out_;
      }
    }
    return out_;
  }

 private:
  // False if there is too much.
  bool explore_all() {
    if (!histories_.empty()) return true;
    explore::Options options;
    options.level = asked_.level;
    options.granularity = asked_.granularity;
    options.minimise = false;
    options.budget = Budget(explore_seconds);
    options.on_history = [&](const History& history) {
      if (histories_.size() > histories_max) return;
      histories_.push_back(run_of(history));
      if (has_unserializable_) return;
      has_unserializable_ = !is_allowed(history, check::Level::SER);
    };
    return explore::explore(asked_.program, options).is_complete &&
           histories_.size() <= histories_max;
  }

  std::string wrong(const Prediction& prediction, Strategy strategy, const Replay& replay) {
    std::string flawed = flaw(prediction, asked_.level);
    if (!flawed.empty()) return flawed;
    const RunByName predicted = run_of(prediction.history);
    if (can_go_on(predicted, strategy)) {
      ++out_.found;
      const auto begins_so = [&](const RunByName& history) {
        return is_first_part(predicted, history, observed_);
      };
      return std::ranges::any_of(histories_, begins_so) ? ""
                                                        : "no history begins like this";
    }
    const Validation found = validate(prediction, replay, asked_.level, {});
    const std::vector<std::string> tries = tries_before(prediction, replay.observed);
    if (!asked_.litmus.empty() && !is_strict(strategy) && !tries.empty() &&
        has_history_with(predicted, tries)) {
      ++out_.tried;
      if (found.validity == Validity::Refuted) return "refuted, but a history begins so";
    }
    const bool is_confirmed =
        found.validity == Validity::Validated || found.validity == Validity::Diverged;
    if (!is_confirmed || !std::ranges::all_of(found.run.transactions,
                                              &store::TransactionOutcome::is_committed))
      return "";
    ++out_.validated;
    return has_unserializable_ ? "" : "validated, but every history is serializable";
  }

  [[nodiscard]] bool has_history_with(const RunByName& predicted,
                                      const std::vector<std::string>& tries) const {
    return std::ranges::any_of(histories_, [&](const RunByName& history) {
      return is_first_part(predicted, history, observed_) &&
             std::ranges::all_of(tries, [&](const std::string& name) {
               const Ran& again = history.at(name);
               return !again.is_committed && again.tried == observed_.at(name).tried &&
                      std::ranges::none_of(
                          again.tried, [](const auto& read) { return read.second == "?"; });
             });
    });
  }

  [[nodiscard]] bool can_go_on(const RunByName& predicted, Strategy strategy) const {
    if (asked_.litmus.empty() || outline_.may_fail) return false;
    if (!is_strict(strategy)) return !outline_.has_branches;
    if (asked_.level != check::Level::SI && asked_.level != check::Level::PSI) return true;
    return std::ranges::all_of(predicted, [&](const auto& item) {
      const auto& [name, ran] = item;
      if (ran.events.size() == observed_.at(name).events.size() && !outline_.has_branches)
        return true;
      const auto writes = outline_.writes.find(name);
      return writes == outline_.writes.end() ||
             std::ranges::all_of(writes->second, [&](const std::string& key) {
               return std::ranges::any_of(ran.events, [&](const Event& event) {
                 return event.is_write && event.key == key;
               });
             });
    });
  }

  const AskedOfProgram& asked_;
  Outline outline_;
  RunByName observed_;
  std::vector<RunByName> histories_;
  bool has_unserializable_ = false;
  Compared out_;
};

}  // namespace

Compared compared_with_explore(const AskedOfProgram& asked) {
  return Comparison(asked).run();
}

}  // namespace isomer::predict
