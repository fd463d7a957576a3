// SPDX-License-Identifier: MIT
#include "explore/final_states.h"

#include <algorithm>
#include <map>

namespace isomer::explore {
namespace {

template <std::size_t Words>
class Enumerator {
 public:
  Enumerator(const OrderedHistory<Words>& history, Consistency<Words>* level,
             const std::function<bool(const FinalVersions&)>& visit)
      : history_(history), level_(level), visit_(visit) {
    std::map<KeyNumber, std::vector<FinalVersion>> by_key;
    for (const OrderedTxn& txn : history.transactions())
      if (txn.node->kind == Node::Kind::Commits)
        for (const Write& write : txn.node->writes)
          by_key[write.key].push_back({write.key, txn.number, write.value});
    for (auto& [key, versions] : by_key)
      keys_.push_back(std::move(versions));
  }

  void run() { choose(0); }

 private:
  // False ends it.
  bool choose(std::size_t index) {
    if (index == keys_.size()) return visit_(chosen_);
    const std::vector<FinalVersion>& versions = keys_[index];
    const std::size_t before = chosen_.precedences.size();
    for (const FinalVersion& last : versions) {
      const bool is_last = std::ranges::none_of(versions, [&](const FinalVersion& other) {
        return history_.commits().before(other.writer).contains(last.writer);
      });
      if (!is_last) continue;
      bool is_choice = false;
      for (const FinalVersion& other : versions)
        if (other.writer != last.writer) {
          chosen_.precedences.push_back({other.writer, last.writer});
          is_choice |= !history_.commits().before(last.writer).contains(other.writer);
        }
      chosen_.versions.push_back(last);
      const bool goes_on = !is_choice || is_admitted() ? choose(index + 1) : true;
      chosen_.versions.pop_back();
      chosen_.precedences.resize(before);
      if (!goes_on) return false;
    }
    return true;
  }

  bool is_admitted() {
    if (level_ != nullptr)
      return level_->commit_order(history_, chosen_.precedences).has_value();
    Order<Words> order = history_.commits();
    return std::ranges::all_of(chosen_.precedences, [&](const Precedence& precedence) {
      return order.add(precedence.first, precedence.second);
    });
  }

  const OrderedHistory<Words>& history_;
  Consistency<Words>* level_;
  const std::function<bool(const FinalVersions&)>& visit_;
  std::vector<std::vector<FinalVersion>> keys_;
  FinalVersions chosen_;
};

}  // namespace

template <std::size_t Words>
void for_each_final_state(const OrderedHistory<Words>& history, Consistency<Words>* level,
                          const std::function<bool(const FinalVersions&)>& visit) {
  Enumerator<Words>(history, level, visit).run();
}

template void for_each_final_state(const OrderedHistory<1>&, Consistency<1>*,
                                   const std::function<bool(const FinalVersions&)>&);
template void for_each_final_state(const OrderedHistory<4>&, Consistency<4>*,
                                   const std::function<bool(const FinalVersions&)>&);

}  // namespace isomer::explore
