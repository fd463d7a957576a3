// SPDX-License-Identifier: MIT
#include "store/final_states.h"

#include <algorithm>

namespace isomer::store {
namespace {

// Beyond, a run has too many final states to try them all.
constexpr std::size_t states_max = 64;
constexpr std::size_t questions_max = 1000;

class Search {
 public:
  Search(const FinalState& initial, const std::vector<RanTransaction>& ran,
         const check::AskedLevel& level, const Budget& budget)
      : level_(level), budget_(budget), base_(initial) {
    for (const RanTransaction& transaction : ran)
      if (transaction.outcome.is_committed) add(transaction);
    for (std::uint32_t key = 0; key < keys_.size(); ++key)
      settle(key);
  }

  FinalStates run() {
    if (is_admitted()) choose(0);
    if (budget_.is_exhausted()) out_.is_complete = false;
    return std::move(out_);
  }

 private:
  struct Version {
    std::uint32_t writer;  // from 1
    const Value* value;
  };

  struct Key {
    const KeyName* name;
    std::vector<Version> versions;  // in the order of the run
  };

  // A key that several transactions may have written last, and whom it was chosen to be.
  struct Contested {
    std::uint32_t key;
    std::vector<Version> last;
    std::uint32_t chosen = 0;
  };

  void add(const RanTransaction& ran) {
    RunTransaction& transaction = transactions_.emplace_back();
    transaction.session = ran.outcome.session;
    transaction.type = ran.type;
    const auto number = static_cast<std::uint32_t>(transactions_.size());
    std::vector<bool>& seen = before_.emplace_back(number, false);
    for (std::uint32_t other = 1; other < number; ++other)
      if (transactions_[other - 1].session == transaction.session) see(seen, other);
    for (const Access& access : ran.accesses) {
      const std::uint32_t key = number_of(access.key);
      if (!access.is_write) {
        transaction.reads.push_back({key, access.writer});
        if (access.writer != 0) see(seen, access.writer);
        continue;
      }
      std::vector<Version>& versions = keys_[key].versions;
      if (versions.empty() || versions.back().writer != number) {
        transaction.writes.push_back(key);
        versions.push_back({number, nullptr});
      }
      versions.back().value = &access.value;
    }
  }

  // `other`, and all that comes before it by so and wr.
  void see(std::vector<bool>& seen, std::uint32_t other) const {
    seen[other] = true;
    for (std::uint32_t earlier = 1; earlier < other; ++earlier)
      if (before_[other - 1][earlier]) seen[earlier] = true;
  }

  std::uint32_t number_of(const KeyName& name) {
    const auto [entry, is_new] =
        numbers_.try_emplace(name, static_cast<std::uint32_t>(keys_.size()));
    if (is_new) keys_.push_back({&entry->first, {}});
    return entry->second;
  }

  // The built-in levels have so and wr in the order of commits, which often tells who is
  // last.
  void settle(std::uint32_t key) {
    std::vector<Version> last = keys_[key].versions;
    if (last.empty()) return;
    if (level_.built_in)
      std::erase_if(last, [&](const Version& version) {
        return std::ranges::any_of(keys_[key].versions, [&](const Version& other) {
          return other.writer > version.writer && before_[other.writer - 1][version.writer];
        });
      });
    std::ranges::reverse(last);
    base_[*keys_[key].name] = *last.front().value;
    if (last.size() > 1)
      contested_.push_back({.key = key, .last = std::move(last), .chosen = 0});
  }

  // Of the keys that have been decided so far.
  bool is_admitted() {
    std::vector<RunTransaction::Read> reads;
    for (const Contested& contested : contested_)
      if (contested.chosen != 0) reads.push_back({contested.key, contested.chosen});
    const auto answer = is_allowed(observed(transactions_, reads), level_, budget_);
    if (!answer) out_.is_complete = false;
    return answer.value_or(false);
  }

  void choose(std::size_t index) {
    if (index == contested_.size()) {
      finish();
      return;
    }
    for (const Version& version : contested_[index].last) {
      if (is_over()) {
        out_.is_complete = false;
        break;
      }
      ++questions_;
      contested_[index].chosen = version.writer;
      if (is_admitted()) choose(index + 1);
    }
    contested_[index].chosen = 0;
  }

  [[nodiscard]] bool is_over() const {
    return out_.states.size() >= states_max || questions_ >= questions_max ||
           budget_.is_exhausted();
  }

  void finish() {
    FinalState state = base_;
    for (const Contested& contested : contested_)
      state[*keys_[contested.key].name] =
          *std::ranges::find(contested.last, contested.chosen, &Version::writer)->value;
    std::erase_if(state, [](const auto& entry) { return entry.second.is_null(); });
    if (std::ranges::find(out_.states, state) == out_.states.end())
      out_.states.push_back(std::move(state));
  }

  const check::AskedLevel& level_;
  const Budget& budget_;
  FinalState base_;
  std::vector<RunTransaction> transactions_;
  std::vector<std::vector<bool>> before_;  // by transaction: which others, by so and wr
  std::map<KeyName, std::uint32_t> numbers_;
  std::vector<Key> keys_;
  std::vector<Contested> contested_;
  std::size_t questions_ = 0;
  FinalStates out_;
};

}  // namespace

FinalStates final_states(const FinalState& initial, const std::vector<RanTransaction>& ran,
                         const check::AskedLevel& level, const Budget& budget) {
  return Search(initial, ran, level, budget).run();
}

FinalState final_state_in_order(const FinalState& initial,
                                const std::vector<RanTransaction>& ran) {
  FinalState state = initial;
  for (const RanTransaction& transaction : ran)
    if (transaction.outcome.is_committed)
      for (const Access& access : transaction.accesses)
        if (access.is_write) state[access.key] = access.value;
  std::erase_if(state, [](const auto& entry) { return entry.second.is_null(); });
  return state;
}

}  // namespace isomer::store
