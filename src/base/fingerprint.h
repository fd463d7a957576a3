// SPDX-License-Identifier: MIT
// 128 bits that stand for something large.  Two things that differ have different ones, but
// for bad luck that nobody lives to see; the same things have the same ones on any machine.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace isomer {

struct Fingerprint {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

struct FingerprintHash {
  std::size_t operator()(const Fingerprint& of) const { return of.low; }
};

// Takes one number after the other; the order counts.  Two lanes of SplitMix64's mixing
// with different constants.
class Digest {
 public:
  Digest& add(std::uint64_t number) {
    low_ = mixed(low_ ^ number, 0xbf58476d1ce4e5b9ULL, 0x94d049bb133111ebULL);
    high_ = mixed(high_ + number, 0xff51afd7ed558ccdULL, 0xc4ceb9fe1a85ec53ULL);
    return *this;
  }

  // With its length, so that "ab", "c" differs from "a", "bc".
  Digest& add(std::string_view text) {
    add(text.size());
    for (const char c : text)
      add(static_cast<unsigned char>(c));
    return *this;
  }

  Digest& add(const Fingerprint& other) { return add(other.high).add(other.low); }

  [[nodiscard]] Fingerprint fingerprint() const { return {.high = high_, .low = low_}; }

 private:
  static std::uint64_t mixed(std::uint64_t z, std::uint64_t a, std::uint64_t b) {
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * a;
    z = (z ^ (z >> 27)) * b;
    return z ^ (z >> 31);
  }

  std::uint64_t high_ = 0x243f6a8885a308d3ULL;
  std::uint64_t low_ = 0x13198a2e03707344ULL;
};

}  // namespace isomer
