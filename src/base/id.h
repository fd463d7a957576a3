// SPDX-License-Identifier: MIT
// Dense typed indices.  An Id<Tag> is a 32-bit index into flat arrays; ids of different
// tags do not mix.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace isomer {

template <class Tag>
struct Id {
  std::uint32_t index = none_index;

  static constexpr std::uint32_t none_index = 0xffffffffU;

  static constexpr Id none() { return Id{}; }

  [[nodiscard]] constexpr bool is_none() const { return index == none_index; }

  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace isomer

template <class Tag>
struct std::hash<isomer::Id<Tag>> {
  std::size_t operator()(isomer::Id<Tag> id) const noexcept { return id.index; }
};
