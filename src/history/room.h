// SPDX-License-Identifier: MIT
// Room for large arrays whose size is known beforehand.
//
// The system hands memory out page by page, each at its first touch and for the price of an
// interrupt: a third of the time that ten million operations take to read.  All pages at
// once, and large ones where the system has them, cost half of that, and then hold the
// arrays that are written in random order with fewer misses of the address cache.
#pragma once

#include <cstddef>
#include <vector>

namespace isomer::history {

// Has the system provide the pages of this memory now, if they are many.
void provide_pages(void* memory, std::size_t size);

// array.reserve(count); nearly all of it should come to be used.
template <class T>
void make_room(std::vector<T>& array, std::size_t count) {
  array.reserve(count);
  provide_pages(array.data(), count * sizeof(T));
}

}  // namespace isomer::history
