// SPDX-License-Identifier: MIT
// Large arrays that are read and written at random spend much of their time on page faults
// and on misses of the address translation cache.  Where the kernel gives huge pages to
// those who ask, we ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <sys/mman.h>

namespace isomer {

// Reserves room for `count` elements, on huge pages if the array is large.  A hint: it may
// do nothing.
template <class T>
void reserve_huge(std::vector<T>& array, std::size_t count) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  array.reserve(count);
  const auto first = reinterpret_cast<std::uintptr_t>(array.data());
  const std::uintptr_t aligned = (first + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t end = (first + array.capacity() * sizeof(T)) / huge_page * huge_page;
  if (aligned + huge_page <= end)
    ::madvise(reinterpret_cast<void*>(aligned), end - aligned, MADV_HUGEPAGE);
}

}  // namespace isomer
