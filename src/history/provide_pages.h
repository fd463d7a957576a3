// SPDX-License-Identifier: MIT
// Room for large arrays whose size is known beforehand.
//
// The system hands memory out page by page, each at its first touch and for the price of an
// interrupt: a third of the time that ten million operations take to read.  All pages at
// once, and large ones where the system has them, cost half of that, and then hold the
// arrays that are written in random order with fewer misses of the address cache.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace isomer::history {

// Has the system provide the pages of this memory now, if they are many.
// Advice may be refused (by an older system, or one without large pages); then pages come
// one by one as ever.
inline void provide_pages(void* memory, std::size_t size) {
  constexpr std::size_t size_min = 4 << 20;
  if (size < size_min) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const first = std::align(page, page, memory, size);
  const std::size_t whole_pages = size / page * page;
  ::madvise(first, whole_pages, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE
  ::madvise(first, whole_pages, MADV_POPULATE_WRITE);
#endif
}

// array.reserve(count); nearly all of it should come to be used.
template <class T>
void make_room(std::vector<T>& array, std::size_t count) {
  array.reserve(count);
  provide_pages(array.data(), count * sizeof(T));
}

}  // namespace isomer::history
