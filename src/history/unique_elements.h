// SPDX-License-Identifier: MIT
// List-append histories tell who appended an element by the element alone, so no two
// transactions that may have committed can append the same one to the same key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "history/history.h"

namespace isomer::history {

class UniqueElements {
 public:
  // Notes that `element` was appended to `key` at `offset`.  Returns where it had been
  // appended before.
  std::optional<std::size_t> add(KeyId key, Value element, std::size_t offset) {
    const auto [entry, is_new] = offsets_.try_emplace({key, element}, offset);
    if (is_new) return {};
    return entry->second;
  }

 private:
  struct Append {
    KeyId key;
    Value element;

    friend bool operator==(const Append&, const Append&) = default;
  };

  struct Hash {
    std::size_t operator()(const Append& append) const {
      const auto bits = static_cast<std::uint64_t>(append.element.bits);
      return (bits * 0x9e3779b97f4a7c15ULL) ^ (append.key.index * 0xbf58476d1ce4e5b9ULL) ^
             static_cast<std::uint64_t>(append.element.kind);
    }
  };

  std::unordered_map<Append, std::size_t, Hash> offsets_;
};

}  // namespace isomer::history
