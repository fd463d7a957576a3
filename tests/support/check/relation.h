// SPDX-License-Identifier: MIT
// Relations between at most 32 things, with the operators of the level language, so that
// the oracle can write axioms down as they stand there.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace isomer::check {

class Relation {
 public:
  static constexpr std::uint32_t size = 32;

  static Relation identity_on(std::uint32_t set) {
    Relation r;
    for (std::uint32_t a = 0; a < size; ++a)
      if ((set >> a & 1U) != 0) r.add(a, a);
    return r;
  }

  static Relation product(std::uint32_t left, std::uint32_t right) {
    Relation r;
    for (std::uint32_t a = 0; a < size; ++a)
      if ((left >> a & 1U) != 0) r.row_[a] = right;
    return r;
  }

  void add(std::uint32_t a, std::uint32_t b) { row_[a] |= 1U << b; }

  [[nodiscard]] bool has(std::uint32_t a, std::uint32_t b) const {
    return (row_[a] >> b & 1U) != 0;
  }

  // (a, b) in r ; s  iff  for some c: (a, c) in r and (c, b) in s
  friend Relation compose(const Relation& r, const Relation& s) {
    Relation result;
    for (std::uint32_t a = 0; a < size; ++a)
      for (std::uint32_t left = r.row_[a]; left != 0; left &= left - 1)
        result.row_[a] |= s.row_[static_cast<std::uint32_t>(std::countr_zero(left))];
    return result;
  }

  template <class... Rest>
  friend Relation compose(const Relation& r, const Relation& s, const Rest&... rest) {
    return compose(compose(r, s), rest...);
  }

  friend Relation operator|(Relation r, const Relation& s) {
    for (std::uint32_t a = 0; a < size; ++a)
      r.row_[a] |= s.row_[a];
    return r;
  }

  [[nodiscard]] Relation inverse() const {
    Relation result;
    for (std::uint32_t a = 0; a < size; ++a)
      for (std::uint32_t left = row_[a]; left != 0; left &= left - 1)
        result.add(static_cast<std::uint32_t>(std::countr_zero(left)), a);
    return result;
  }

  [[nodiscard]] Relation without_identity() const {
    Relation result = *this;
    for (std::uint32_t a = 0; a < size; ++a)
      result.row_[a] &= ~(1U << a);
    return result;
  }

  // r+
  [[nodiscard]] Relation closure() const {
    Relation result = *this;
    for (;;) {
      Relation longer = result | compose(result, result);
      if (longer == result) return result;
      result = longer;
    }
  }

  [[nodiscard]] bool in(const Relation& s) const { return (*this | s) == s; }

  friend bool operator==(const Relation&, const Relation&) = default;

 private:
  std::array<std::uint32_t, size> row_{};
};

}  // namespace isomer::check
