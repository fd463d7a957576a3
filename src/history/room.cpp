// SPDX-License-Identifier: MIT
#include "history/room.h"

#include <memory>

#include <sys/mman.h>
#include <unistd.h>

namespace isomer::history {

// Advice may be refused (by an older system, or one without large pages); then pages come
// one by one as ever.
void provide_pages(void* memory, std::size_t size) {
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

}  // namespace isomer::history
