// SPDX-License-Identifier: MIT
#include "explore/final_states.h"

#include <algorithm>
#include <map>

namespace isomer::explore {
namespace {

template <std::size_t Words>
class Enumerator {
 public:
  Enumerator(const OrderedHistory<Words>& history, const Admission& admission,
             const std::function<bool(const FinalVersions&)>& visit)
      : history_(history), admission_(admission), visit_(visit) {
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
      if (std::ranges::any_of(versions, [&](const FinalVersion& other) {
            return is_forced(last.writer, other.writer);
          }))
        continue;
      bool is_choice = false;
      for (const FinalVersion& other : versions)
        if (other.writer != last.writer) {
          chosen_.precedences.push_back({other.writer, last.writer});
          is_choice |= !is_forced(other.writer, last.writer);
        }
      chosen_.versions.push_back(last);
      const bool is_admitted = !is_choice || admission_.admits(chosen_);
      const bool goes_on = is_admitted ? choose(index + 1) : true;
      chosen_.versions.pop_back();
      chosen_.precedences.resize(before);
      if (!goes_on) return false;
    }
    return true;
  }

  [[nodiscard]] bool is_forced(TxnNumber first, TxnNumber second) const {
    return admission_.extends_forced && history_.commits().before(second).contains(first);
  }

  const OrderedHistory<Words>& history_;
  const Admission& admission_;
  const std::function<bool(const FinalVersions&)>& visit_;
  std::vector<std::vector<FinalVersion>> keys_;
  FinalVersions chosen_;
};

}  // namespace

template <std::size_t Words>
void for_each_final_state(const OrderedHistory<Words>& history, const Admission& admission,
                          const std::function<bool(const FinalVersions&)>& visit) {
  Enumerator<Words>(history, admission, visit).run();
}

template void for_each_final_state(const OrderedHistory<1>&, const Admission&,
                                   const std::function<bool(const FinalVersions&)>&);
template void for_each_final_state(const OrderedHistory<4>&, const Admission&,
                                   const std::function<bool(const FinalVersions&)>&);

}  // namespace isomer::explore
