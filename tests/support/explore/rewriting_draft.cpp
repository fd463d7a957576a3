// SPDX-License-Identifier: MIT
// Random programs for what happens between the operations of a transaction: a key is
// written several times, before a read and behind it, with values that tell the writes
// apart or that come from what was read.
#include "base/random.h"
#include "support/explore/draft.h"

#include <fmt/format.h>

namespace isomer::explore {
namespace {

using Statement = Draft::Statement;

struct Maker {
  Random random;
  Draft draft{};
  std::uint64_t key_count = 2;
  bool has_branches = false;
  bool has_failures = false;  // transactions that roll back because of what they read
  int next_value = 1;
  int reads = 0;                         // of this transaction
  std::vector<std::uint64_t> written{};  // by this transaction

  std::string local() {
    return fmt::format("r{}", random.below(static_cast<std::uint64_t>(reads)));
  }

  std::string value() {
    if (random.chance(0.1)) return "1";
    const int constant = 10 * next_value++;
    if (reads == 0 || random.chance(0.5)) return std::to_string(constant);
    return fmt::format("{} + {}", local(), constant);
  }

  Statement read() {
    return {.head = fmt::format("r{} := read(\"k{}\");", reads++, random.below(key_count))};
  }

  Statement write() {
    const bool is_again = !written.empty() && random.chance(0.45);
    const std::uint64_t key =
        is_again ? written[random.below(written.size())] : random.below(key_count);
    Statement out{.head = fmt::format("write(\"k{}\", {});", key, value())};
    written.push_back(key);
    return out;
  }

  Statement branch() {
    Statement out{.head = fmt::format("if ({} == {})", local(), random.below(2)),
                  .has_body = true};
    if (has_failures && random.chance(0.5)) {
      out.body.push_back({.head = "abort;"});
      return out;
    }
    out.body.push_back(write());
    if (random.chance(0.5)) out.otherwise.push_back(write());
    return out;
  }

  Draft::Transaction transaction(std::size_t number) {
    reads = 0;
    written.clear();
    Draft::Transaction out{.label = fmt::format("t{}", number), .body = {}};
    const std::uint64_t size = 2 + random.below(4);
    for (std::uint64_t i = 0; i < size; ++i) {
      if (has_branches && reads > 0 && random.chance(0.3))
        out.body.push_back(branch());
      else
        out.body.push_back(random.chance(0.45) ? read() : write());
    }
    if (random.chance(0.04)) out.body.push_back({.head = "abort;"});
    return out;
  }

  Draft make() {
    key_count = 2 + random.below(2);
    has_branches = random.chance(0.2);
    has_failures = has_branches && random.chance(0.3);
    for (std::uint64_t k = 0; k < key_count; ++k)
      if (random.chance(0.97)) draft.initial.push_back(fmt::format("\"k{}\" = 0", k));
    std::vector<std::size_t> sizes(2 + random.below(2), 1);
    for (std::uint64_t left = random.below(5 - sizes.size()); left > 0; --left)
      ++sizes[random.below(sizes.size())];
    std::size_t number = 0;
    for (const std::size_t size : sizes) {
      auto& session = draft.sessions.emplace_back();
      for (std::size_t i = 0; i < size; ++i)
        session.push_back(transaction(++number));
    }
    return std::move(draft);
  }
};

}  // namespace

Draft random_rewriting_draft(std::uint64_t seed) {
  return Maker{.random = Random(seed)}.make();
}

}  // namespace isomer::explore
