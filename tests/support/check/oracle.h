// SPDX-License-Identifier: MIT
// The levels by brute force: every choice, every order, every axiom as it stands in the
// definition.  Works on logs, not on a History, so that it holds that to account as well.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "check/level.h"
#include "support/check/log.h"

namespace isomer::check {

// One way to answer who wrote what each read returned.  Transactions are numbered as in
// the History: 0 is the initial one.
struct Resolution {
  struct Read {
    std::uint32_t reader;
    std::uint32_t key;
    std::uint32_t writer;
  };

  std::vector<Read> reads;               // external, of committed transactions, in order
  std::vector<std::uint32_t> effective;  // committed, or unknown and seen; 0 first
};

struct OracleWitness {
  Resolution resolution;
  std::vector<std::uint32_t> order;
};

class Oracle {
 public:
  explicit Oracle(const Log& log);

  // Every way to answer; none if some read is one that no level allows.
  [[nodiscard]] const std::vector<Resolution>& resolutions() const { return resolutions_; }

  // Does this order, which begins with 0, satisfy the level?
  [[nodiscard]] bool satisfies(const Resolution& resolution,
                               const std::vector<std::uint32_t>& order, Level level) const;

  // The first order found that does.
  [[nodiscard]] std::optional<OracleWitness> witness(Level level) const;

  // PSI with every vis instead of the least; slow.
  [[nodiscard]] bool allows_psi_with_any_vis() const;

 private:
  struct Relations;

  [[nodiscard]] Relations relations(const Resolution& resolution) const;

  Log log_;
  std::vector<const LoggedTxn*> txns_;  // from 1
  std::vector<Resolution> resolutions_;
};

}  // namespace isomer::check
