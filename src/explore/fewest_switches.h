// SPDX-License-Identifier: MIT
// The way to an end that people can follow best: the one with the fewest changes from one
// session to another (iterative context bounding; Musuvathi, Qadeer: PLDI'07).
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "base/fingerprint.h"
#include "explore/fine_run.h"

namespace isomer::explore {

template <class Runs, class IsWanted>
class SwitchSearch {
 public:
  SwitchSearch(const Runs& runs, const IsWanted& is_wanted, Budget budget)
      : runs_(runs), is_wanted_(is_wanted), budget_(budget) {}

  // Absent if there is none with so few, or the budget ran out.
  std::optional<std::vector<Move>> run(std::uint32_t switches_max) {
    for (std::uint32_t most = 0; most <= switches_max && !budget_.is_exhausted(); ++most) {
      left_at_.clear();
      is_cut_ = false;
      if (visit(runs_.start(), nobody, most)) return way_;
      if (!is_cut_) break;  // more of them lead nowhere else
    }
    return std::nullopt;
  }

 private:
  static constexpr SessionIndex nobody = ~0U;

  bool visit(const FineRun& run, SessionIndex last, std::uint32_t left) {
    Digest digest;
    digest.add(runs_.fingerprint(run)).add(last);
    std::uint32_t& seen = left_at_[digest.fingerprint()];
    if (seen > left || budget_.is_exhausted()) return false;
    seen = left + 1;
    const auto sessions = runs_.sessions(run);
    if (sessions.empty()) return is_wanted_(run);
    for (const SessionIndex session : sessions) {
      const bool is_switch = last != nobody && session != last;
      if (is_switch && left == 0) {
        is_cut_ = true;
        continue;
      }
      const std::size_t choices = runs_.choices(run, session);
      for (std::size_t choice = 0; choice < choices; ++choice) {
        FineRun next = run;
        way_.push_back({.session = session, .choice = choice});
        runs_.move(next, way_.back());
        if (visit(next, session, is_switch ? left - 1 : left)) return true;
        way_.pop_back();
      }
    }
    return false;
  }

  const Runs& runs_;
  const IsWanted& is_wanted_;
  Budget budget_;
  std::vector<Move> way_;
  std::unordered_map<Fingerprint, std::uint32_t, FingerprintHash> left_at_;
  bool is_cut_ = false;
};

}  // namespace isomer::explore
