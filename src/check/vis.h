// SPDX-License-Identifier: MIT
// The least visibility of PSI for a given order of the writers of each key:
// vis = (so | wr | ww)+, as vector clocks over the sessions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/order_graph.h"
#include "check/resolved_history.h"

namespace isomer::check {

class Vis {
 public:
  // The so, wr and ww among the links must be acyclic; rw is passed over.
  Vis(const ResolvedHistory& resolved, std::span<const Link> links,
      std::span<const Link> more);

  // A writer of the key that t3 sees and that comes after the one it read from, if there is
  // one.
  [[nodiscard]] std::optional<TxnId> newer_version(
      TxnId t3, const Read& read, std::span<const std::uint32_t> place) const;

 private:
  const ResolvedHistory& resolved_;
  WriterGroups groups_;
  std::vector<std::uint32_t> clocks_;
};

}  // namespace isomer::check
