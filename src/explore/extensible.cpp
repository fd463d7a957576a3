// SPDX-License-Identifier: MIT
#include "explore/extensible.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "check/certify/certify.h"
#include "history/builder.h"
#include "store/consistency.h"

namespace isomer::explore {
namespace {

using history::HistoryBuilder;
using store::RunTransaction;

constexpr std::uint32_t keys_max = 2;
constexpr std::size_t transactions_max = 4;

// Transactions in the order of their sessions; a reader may stand before whom it reads
// from.
using Small = std::vector<RunTransaction>;

bool writes_key(const RunTransaction& transaction, std::uint32_t key) {
  return std::ranges::find(transaction.writes, key) != transaction.writes.end();
}

bool is_before_in_session(const Small& history, std::size_t first, std::size_t second) {
  return first < second && history[first].session == history[second].session;
}

bool is_direct(const Small& history, std::size_t first, std::size_t second) {
  return is_before_in_session(history, first, second) ||
         std::ranges::any_of(history[second].reads, [&](const RunTransaction::Read& read) {
           return read.writer == first + 1;
         });
}

bool is_last(const Small& history, std::size_t txn) {
  for (std::size_t other = 0; other < history.size(); ++other)
    if (other != txn && is_direct(history, txn, other)) return false;
  return true;
}

// Whom a transaction depends on, (so u wr)+.
std::vector<bool> past_of(const Small& history, std::size_t txn) {
  std::vector<bool> out(history.size(), false);
  std::vector<std::size_t> open = {txn};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (std::size_t other = 0; other < history.size(); ++other)
      if (!out[other] && other != at && is_direct(history, other, at)) {
        out[other] = true;
        open.push_back(other);
      }
  }
  return out;
}

Small without(const Small& history, std::size_t txn) {
  Small out = history;
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(txn));
  for (RunTransaction& transaction : out)
    for (RunTransaction::Read& read : transaction.reads)
      if (read.writer > txn + 1) --read.writer;
  return out;
}

// --- each history once, however its transactions and keys are named ---

using Name = std::string;

Name name_in_order(const Small& history, const std::vector<std::uint32_t>& order,
                   std::uint32_t key_flip) {
  std::vector<std::uint32_t> place(history.size() + 1, 0);
  for (std::uint32_t i = 0; i < order.size(); ++i)
    place[order[i] + 1] = i + 1;
  std::map<std::uint32_t, std::size_t> sessions;
  Name out;
  const auto add = [&](std::size_t part) { out.push_back(static_cast<char>(part)); };
  for (const std::uint32_t txn : order) {
    const RunTransaction& transaction = history[txn];
    add(sessions.try_emplace(transaction.session, sessions.size()).first->second);
    for (const RunTransaction::Read& read : transaction.reads)
      add(16 + 8 * (read.key ^ key_flip) + place[read.writer]);
    std::uint32_t written = 0;
    for (const std::uint32_t key : transaction.writes)
      written |= 1U << (key ^ key_flip);
    add(64 + written);
  }
  return out;
}

bool keeps_sessions(const Small& history, const std::vector<std::uint32_t>& order) {
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j)
      if (is_before_in_session(history, order[j], order[i])) return false;
  return true;
}

Name name_of_small(const Small& history) {
  std::vector<std::uint32_t> order(history.size());
  std::iota(order.begin(), order.end(), 0U);
  std::optional<Name> out;
  do {
    if (!keeps_sessions(history, order)) continue;
    for (const std::uint32_t key_flip : {0U, 1U})
      if (Name name = name_in_order(history, order, key_flip); !out || name < *out)
        out = std::move(name);
  } while (std::ranges::next_permutation(order).found);
  return *std::move(out);
}

// --- shown ---

history::History shown_history(const Small& small) {
  HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  for (std::uint32_t txn = 0; txn < small.size(); ++txn) {
    const auto name = [](std::uint32_t first, std::uint32_t index) {
      return std::string(1, static_cast<char>(first + index));
    };
    const auto token = builder.begin(builder.session(name('a', small[txn].session)));
    for (const auto& [key, writer] : small[txn].reads)
      builder.read(token, builder.key(name('x', key)), history::Value::integer(writer));
    for (const std::uint32_t key : small[txn].writes)
      builder.write(token, builder.key(name('x', key)), history::Value::integer(txn + 1));
  }
  return builder.build();
}

std::string event_text(const Small& history, std::size_t txn, Gap gap, std::uint32_t key) {
  std::size_t place = 1;
  for (std::size_t other = 0; other < txn; ++other)
    place += history[other].session == history[txn].session ? 1U : 0U;
  const std::string name =
      fmt::format("{}/{}", static_cast<char>('a' + history[txn].session), place);
  if (gap == Gap::Begin) return fmt::format("{} begins", name);
  return fmt::format("{} {} {}", name, gap == Gap::Read ? "reads" : "writes",
                     static_cast<char>('x' + key));
}

class Trial {
 public:
  Trial(const check::AskedLevel& level, const Budget& budget, std::uint32_t events_max)
      : level_(level), budget_(budget), events_max_(events_max) {}

  Extensibility run() {
    std::map<Name, Small> layer = {{Name(), Small()}};
    for (std::uint32_t events = 0; events <= events_max_; ++events) {
      std::map<Name, Small> following;
      for (const auto& [name, history] : layer) {
        if (has_gap(history) || is_stopped_) return std::move(out_);
        if (events < events_max_) add_longer(history, following);
      }
      out_.events = events;
      out_.histories += layer.size();
      layer = std::move(following);
    }
    return std::move(out_);
  }

 private:
  // Nothing is true of a history that could not be decided.
  bool allows(const Small& history) {
    const auto [found, is_new] = answers_.try_emplace(name_of_small(history), false);
    if (!is_new) return found->second;
    const std::optional<bool> answer = store::is_allowed(history, level_, budget_);
    if (!answer || budget_.is_exhausted()) is_stopped_ = true;
    return found->second = answer.value_or(false);
  }

  bool has_gap(const Small& history) {
    if (!allows(history)) return false;
    for (std::size_t txn = 0; txn < history.size() && !is_stopped_; ++txn)
      if (is_last(history, txn) &&
          (has_forbidden_prefix(history, txn) || has_forbidden_extension(history, txn)))
        return !is_stopped_;
    return history.size() < transactions_max && has_forbidden_beginning(history);
  }

  // A transaction that has only begun is one that has done nothing.
  bool has_forbidden_beginning(const Small& history) {
    for (Small& more : beginnings(history)) {
      const std::size_t txn = history.size();
      if (is_stopped_) return false;
      if (!allows(more)) {
        std::string event = event_text(more, txn, Gap::Begin, 0);
        return found(history, {std::move(more)}, Gap::Begin, std::move(event));
      }
      if (has_forbidden_extension(more, txn)) return !is_stopped_;
    }
    return false;
  }

  // With one more transaction, of some session.
  static std::vector<Small> beginnings(const Small& history) {
    std::uint32_t sessions = 0;
    for (const RunTransaction& transaction : history)
      sessions = std::max(sessions, transaction.session + 1);
    std::vector<Small> out;
    for (std::uint32_t session = 0; session <= sessions; ++session) {
      out.push_back(history);
      out.back().emplace_back().session = session;
    }
    return out;
  }

  bool has_forbidden_prefix(const Small& history, std::size_t txn) {
    for (Small& shorter : prefixes(history, txn))
      if (!allows(shorter)) return found(history, {std::move(shorter)}, Gap::Prefix, "");
    return false;
  }

  // Without the last read of a transaction, or without one of its writes.
  static std::vector<Small> prefixes(const Small& history, std::size_t txn) {
    std::vector<Small> out;
    if (history[txn].reads.size() + history[txn].writes.size() == 1)
      return {without(history, txn)};
    if (!history[txn].reads.empty()) {
      out.push_back(history);
      out.back()[txn].reads.pop_back();
    }
    for (const std::uint32_t key : history[txn].writes) {
      out.push_back(history);
      std::erase(out.back()[txn].writes, key);
    }
    return out;
  }

  bool has_forbidden_extension(const Small& history, std::size_t txn) {
    for (std::uint32_t key = 0; key < keys_max; ++key) {
      if (writes_key(history[txn], key)) continue;
      Small longer = with_write(history, txn, key);
      if (!allows(longer))
        return found(history, {std::move(longer)}, Gap::Write,
                     event_text(history, txn, Gap::Write, key));
      std::vector<Small> readings = causal_readings(history, txn, key);
      if (std::ranges::none_of(readings, [&](const Small& read) { return allows(read); }))
        return found(history, std::move(readings), Gap::Read,
                     event_text(history, txn, Gap::Read, key));
    }
    return false;
  }

  static Small with_write(Small history, std::size_t txn, std::uint32_t key) {
    history[txn].writes.push_back(key);
    return history;
  }

  static Small with_read(Small history, std::size_t txn, RunTransaction::Read read) {
    history[txn].reads.push_back(read);
    return history;
  }

  static std::vector<Small> causal_readings(const Small& history, std::size_t txn,
                                            std::uint32_t key) {
    std::vector<Small> out = {with_read(history, txn, {key, 0})};
    const std::vector<bool> past = past_of(history, txn);
    for (std::uint32_t other = 0; other < history.size(); ++other)
      if (past[other] && writes_key(history[other], key))
        out.push_back(with_read(history, txn, {key, other + 1}));
    return out;
  }

  // Checked anew by certified answers.
  bool found(const Small& allowed, std::vector<Small> forbidden, Gap gap,
             std::string event) {
    if (is_stopped_) return false;
    NotExtensible out;
    out.gap = gap;
    out.allowed = shown_history(allowed);
    out.event = std::move(event);
    certify_claim(out.allowed, {.allowed_by = {level_}});
    for (const Small& history : forbidden) {
      out.forbidden.push_back(shown_history(history));
      certify_claim(out.forbidden.back(), {.forbidden_by = {level_}});
    }
    out_.counterexample = std::move(out);
    return true;
  }

  void certify_claim(const history::History& history, const check::Claims& claims) {
    check::or_contradiction(check::judge(history, claims, budget_));
  }

  static void add_longer(const Small& history, std::map<Name, Small>& out) {
    const auto add = [&](Small longer) {
      Name name = name_of_small(longer);
      out.try_emplace(std::move(name), std::move(longer));
    };
    const auto add_events = [&](const Small& from, std::size_t txn) {
      for (std::uint32_t key = 0; key < keys_max; ++key) {
        if (writes_key(from[txn], key)) continue;
        add(with_write(from, txn, key));
        add(with_read(from, txn, {key, 0}));
        for (std::uint32_t other = 0; other < from.size(); ++other)
          if (other != txn && writes_key(from[other], key))
            add(with_read(from, txn, {key, other + 1}));
      }
    };
    for (std::size_t txn = 0; txn < history.size(); ++txn)
      if (is_last(history, txn)) add_events(history, txn);
    if (history.size() == transactions_max) return;
    for (const Small& more : beginnings(history))
      add_events(more, history.size());
  }

  const check::AskedLevel& level_;
  const Budget& budget_;
  std::uint32_t events_max_;
  std::map<Name, bool> answers_;
  bool is_stopped_ = false;
  Extensibility out_;
};

}  // namespace

Extensibility extensibility_of(const check::AskedLevel& level, const Budget& budget,
                               std::uint32_t events_max) {
  return Trial(level, budget, events_max).run();
}

std::string_view extensible_levels() {
  return R"(
level Any : biswas { true }
level OwnWrites : biswas { axiom OwnWrites: forall x: Key { overwritten[x, so] in co } }
level Whole : biswas { axiom Whole: forall x: Key { overwritten[x, wr] in co } }
level Forward : biswas { RC }
level ForwardOwnWrites : biswas {
  RC
  axiom OwnWrites: forall x: Key { overwritten[x, so] in co }
}
level Atomic : biswas { RA }
level Causal : biswas { CC }
)";
}

}  // namespace isomer::explore
