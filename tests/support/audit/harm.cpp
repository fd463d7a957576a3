// SPDX-License-Identifier: MIT
#include "support/audit/harm.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "explore/explore.h"
#include "history/formats.h"
#include "store/store.h"

namespace isomer::test {
namespace {

class Author {
 public:
  explicit Author(Random& random) : random_(random) {}

  std::string routine(std::uint32_t number) {
    returns_ = random_.below(4) == 0;
    declared_.clear();
    std::string body = start() + read() + middle() + write();
    if (random_.below(3) == 0) body = guarded(body);
    if (random_.below(6) == 0) body += read();
    const std::string result =
        returns_ ? fmt::format("RETURN {};\n", pick({"0", "0", "i", "n", "b"})) : "";
    // A function gives an int, so a truth value is counted.
    const std::string counted =
        result == "RETURN b;\n" ? "RETURN CASE WHEN b THEN 1 ELSE 0 END;\n" : result;
    return fmt::format(
        "CREATE {} p{}(i int, j int){} LANGUAGE plpgsql AS $$\n"
        "DECLARE\nn int{};\nm int;\nb boolean;\nr record;\nBEGIN\n{}{}END $$;\n",
        returns_ ? "FUNCTION" : "PROCEDURE", number, returns_ ? " RETURNS int" : "",
        declared_, body, counted);
  }

 private:
  std::string pick(const std::vector<std::string>& words) {
    return words[random_.below(words.size())];
  }

  std::string table() { return pick({"t", "t", "u"}); }

  std::string where() {
    return pick({"id = j", "id <> i", "id <> i", "g = 1", "g = j", "v IS NULL", "v > 0",
                 "id <> i AND v > 0", "id = 1"});
  }

  std::string query(const std::string& what) {
    return fmt::format("SELECT {} FROM {} WHERE {}", what, table(), where());
  }

  // Sometimes the read is in the declaration.
  std::string start() {
    if (random_.below(8) == 0)
      declared_ = fmt::format(" := ({})", query(pick({"count(*)", "max(v)", "min(id)"})));
    return {};
  }

  std::string read() {
    switch (random_.below(9)) {
      case 0:
        return fmt::format("PERFORM {};\n", query("1").substr(7));
      case 1:
        return fmt::format("b := EXISTS ({});\n", query("1"));
      case 2:
        return fmt::format("SELECT v INTO n FROM {} WHERE {} ORDER BY id LIMIT 1;\n",
                           table(), where());
      case 3:
        return fmt::format("SELECT {} INTO n FROM {} WHERE {};\n",
                           pick({"min(v)", "max(v)", "max(id)"}), table(), where());
      case 4:
        return fmt::format("SELECT {} INTO m FROM {} WHERE {};\n",
                           pick({"count(*)", "min(v)", "sum(v)"}), table(), where());
      case 5:
        return fmt::format("FOR r IN {} LOOP\n{}END LOOP;\n", query("id, v"),
                           pick({"m := r.v;\n", "n := r.v;\n", "NULL;\n"}));
      case 6:
        return fmt::format("IF EXISTS ({}) THEN\n{}END IF;\n", query("1"),
                           pick({"m := 1;\n", "n := 1;\n", "NULL;\n"}));
      case 7:
        return fmt::format("SELECT id, v INTO r FROM {} WHERE {} ORDER BY id LIMIT 1;\n",
                           table(), where());
      default:
        return fmt::format("SELECT v, g INTO n, m FROM {} WHERE {} ORDER BY id LIMIT 1;\n",
                           table(), where());
    }
  }

  // What becomes of it before the write.
  std::string middle() {
    switch (random_.below(12)) {
      case 0:
        return "m := n;\n";
      case 1:
        return "n := m;\n";
      case 2:
        return "b := n > 0;\n";
      case 3:
        return fmt::format("IF {} THEN\nRAISE EXCEPTION 'no';\nEND IF;\n",
                           pick({"n > 1", "b", "NOT FOUND", "m IS NULL"}));
      case 4:
        return fmt::format("IF {} THEN\nRETURN{};\nEND IF;\n",
                           pick({"n > 1", "b", "NOT FOUND", "j = 17"}),
                           returns_ ? pick({" 1", " n"}) : "");
      case 5:
        return read();
      default:
        return {};
    }
  }

  std::string write() {
    const std::string value = pick({"5", "5", "i", "j", "n", "m", "n", "NULL"});
    std::string out;
    switch (random_.below(7)) {
      case 0:
        out = fmt::format("INSERT INTO {} VALUES (i, 1, {}) ON CONFLICT DO NOTHING;\n",
                          table(), value);
        break;
      case 1:
        out = fmt::format("INSERT INTO {} VALUES (i, {}, 0);\n", table(), value);
        break;
      case 2:
        out = fmt::format("DELETE FROM {} WHERE id = i;\n", table());
        break;
      case 3:
        out = fmt::format("UPDATE {} SET g = {} WHERE id = i;\n", table(), value);
        break;
      default:
        out = fmt::format("UPDATE {} SET v = {} WHERE id = i;\n", table(), value);
    }
    return random_.below(3) == 0
               ? fmt::format("IF {} THEN\n{}END IF;\n",
                             pick({"b", "n > 0", "n IS NULL", "FOUND", "j = 17", "m = 0",
                                   "n IS NULL OR j IS NULL"}),
                             out)
               : out;
  }

  std::string guarded(const std::string& body) {
    return fmt::format("IF {} THEN\n{}END IF;\n",
                       pick({"j = 17", "j IS NULL", "i <> 1", "j > 0"}), body);
  }

  Random& random_;
  bool returns_ = false;
  std::string declared_;
};

std::string small_value(Random& random) {
  const std::vector<std::string> values{"NULL", "0", "1", "1", "2", "3", "17"};
  return values[random.below(values.size())];
}

using program::Program;

// What one can see of a run: what each session was told, and the state in the end.
struct Seen {
  std::vector<std::string> told;  // by session; empty: rolled back
  store::FinalState state;

  friend auto operator<=>(const Seen&, const Seen&) = default;
};

Seen seen(const Program& scenario, const store::Run& run,
          const std::vector<std::size_t>* order) {
  Seen out;
  out.told.resize(scenario.sessions.size());
  for (const store::TransactionOutcome& outcome : run.transactions) {
    const std::size_t session =
        order == nullptr ? outcome.session : (*order)[outcome.index];
    if (outcome.is_committed) out.told[session] = "gives " + to_text(outcome.result);
  }
  out.state = run.final_state;
  return out;
}

// Every order of every subset of the calls that all commit.
std::set<Seen> serial_outcomes(const Program& scenario, program::Granularity granularity) {
  std::set<Seen> out;
  Program one = scenario;
  one.sessions.assign(1, {.name = "serial", .calls = {}});
  const std::size_t count = scenario.sessions.size();
  for (std::size_t subset = 0; subset < (std::size_t{1} << count); ++subset) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count; ++i)
      if ((subset >> i & 1U) != 0) order.push_back(i);
    do {
      one.sessions[0].calls.clear();
      for (const std::size_t i : order)
        one.sessions[0].calls.push_back(scenario.sessions[i].calls.front());
      store::Options options;
      options.granularity = granularity;
      const Seen end = seen(scenario, store::Store(one).run(options), &order);
      const bool all_commit = std::all_of(
          order.begin(), order.end(), [&](std::size_t i) { return !end.told[i].empty(); });
      if (all_commit) out.insert(end);
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return out;
}

}  // namespace

std::string random_readers(Random& random) {
  std::string out =
      "CREATE TABLE t (id int PRIMARY KEY, g int, v int);\n"
      "CREATE TABLE u (id int PRIMARY KEY, g int, v int);\n";
  const std::uint64_t count = 1 + random.below(3) / 2;
  for (std::uint32_t i = 0; i < count; ++i)
    out += Author(random).routine(i);
  return out;
}

std::string random_readers_scenario(Random& random,
                                    const std::vector<std::uint32_t>& types) {
  std::string rows;
  for (const char* table : {"t", "u"})
    for (int id = 1; id <= 3; ++id)
      if (random.below(4) < 3)
        rows += fmt::format("INSERT INTO {} VALUES ({}, {}, {});\n", table, id,
                            small_value(random), small_value(random));
  std::string out = fmt::format("[init]\nsql = \"\"\"\n{}\"\"\"\n", rows);
  // What needs one argument needs it of all.
  const std::optional<std::string> common =
      random.below(2) == 0 ? std::optional(small_value(random)) : std::nullopt;
  for (const std::uint32_t type : types)
    out += fmt::format("[[session]]\ncalls = [\"p{}({}, {})\"]\n", type,
                       1 + random.below(3), common ? *common : small_value(random));
  return out;
}

Outcomes compared_with_serial(const Program& scenario, const check::AskedLevel& level,
                              program::Granularity granularity) {
  const std::set<Seen> serial = serial_outcomes(scenario, granularity);
  Outcomes out;
  std::atomic<bool> is_done = false;
  explore::Options options;
  options.level = level;
  if (!level.built_in) options.base = explore::Base::RA;
  options.granularity = granularity;
  options.budget = Budget(10, &is_done);
  options.on_history = [&](const history::History& history) {
    ++out.histories;
    store::Options scripted;
    scripted.policy = store::Policy::Script;
    scripted.script = &history;
    scripted.level = level;
    scripted.granularity = granularity;
    const store::Run run = store::Store(scenario).run(scripted);
    if (run.divergence || !run.unknown.empty() || !run.is_allowed) return;
    if (serial.contains(seen(scenario, run, nullptr))) return;
    out.harm = history::write_history(history, "hist").value().bytes;
    is_done = true;
  };
  out.is_complete = explore::explore(scenario, options).is_complete;
  return out;
}

}  // namespace isomer::test
