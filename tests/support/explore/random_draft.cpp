// SPDX-License-Identifier: MIT
// Random programs in which much can go differently: few keys and few values, keys and
// values computed from what was read, branches on it, aborts, the same key read again and
// after an own write, the same value from different writers.
#include "base/random.h"
#include "support/explore/draft.h"

#include <algorithm>

#include <fmt/format.h>

namespace isomer::explore {
namespace {

using Statement = Draft::Statement;
using Block = std::vector<Statement>;

struct Maker {
  Random random;
  Draft draft{};
  std::size_t key_count = 1;
  std::size_t size_max = 1;           // statements of a transaction
  std::vector<std::string> locals{};  // of this transaction
  std::vector<std::pair<std::string, std::string>> all_locals{};  // label, local

  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(random.below(bound));
  }

  std::string constant() { return std::to_string(below(3)); }

  std::string key() { return fmt::format("\"k{}\"", below(key_count)); }

  std::string local() { return locals.empty() ? constant() : locals[below(locals.size())]; }

  std::string computed_key() {
    return locals.empty() ? key() : fmt::format("cat(\"k\", {})", local());
  }

  std::string value() {
    if (locals.empty() || random.chance(0.4)) return constant();
    switch (below(4)) {
      case 0:
        return fmt::format("{} + 1", local());
      case 1:
        return fmt::format("max({}, {})", local(), constant());
      default:
        return local();
    }
  }

  std::string condition() {
    static constexpr std::array comparisons = {"==", "!=", "<", ">="};
    const std::string right = random.chance(0.7) ? constant() : local();
    return fmt::format("{} {} {}", local(), comparisons[below(comparisons.size())], right);
  }

  Statement line(std::string text) { return {.head = std::move(text)}; }

  std::string new_local() {
    // Now and then one that is there already.
    if (!locals.empty() && random.chance(0.15)) return local();
    locals.push_back(std::string(1, static_cast<char>('a' + locals.size())));
    return locals.back();
  }

  Statement read(const std::string& from) {
    return line(fmt::format("{} := read({});", new_local(), from));
  }

  Statement write() {
    const std::string to = random.chance(0.15) ? computed_key() : key();
    return line(fmt::format("write({}, {});", to, value()));
  }

  Statement branch(int depth) {
    Statement out{.head = fmt::format("if ({})", condition()), .has_body = true};
    out.body = block(1 + below(2), depth + 1);
    if (random.chance(0.3)) out.otherwise = block(1, depth + 1);
    return out;
  }

  Statement loop() {
    Statement out{.head = "foreach e in [0, 1]", .has_body = true};
    if (random.chance(0.5))
      out.body.push_back(read("cat(\"k\", e)"));
    else
      out.body.push_back(line(fmt::format("write(cat(\"k\", e), {});", value())));
    return out;
  }

  Statement statement(int depth) {
    const std::size_t draw = below(100);
    if (draw < 40) return read(key());
    if (draw < 72) return write();
    if (draw < 78 && !locals.empty()) return read(computed_key());
    if (draw < 81) return line(fmt::format("{} := {};", new_local(), value()));
    if (draw < 90 && depth < 2 && !locals.empty()) return branch(depth);
    if (draw < 93 && !locals.empty())
      return {.head = fmt::format("if ({})", condition()),
              .has_body = true,
              .body = {line("abort;")}};
    if (draw < 97 && !locals.empty()) return line(fmt::format("assert {};", condition()));
    if (draw < 98) return line("abort;");
    if (draw < 99) return loop();
    return write();
  }

  Block block(std::size_t size, int depth) {
    Block out;
    for (std::size_t i = 0; i < size; ++i)
      out.push_back(statement(depth));
    return out;
  }

  Draft::Transaction transaction(std::size_t number) {
    locals.clear();
    Draft::Transaction out{.label = fmt::format("t{}", number), .body = {}};
    out.body = block(1 + std::min(below(size_max), below(size_max) + 1), 0);
    for (const std::string& local : locals)
      all_locals.emplace_back(out.label, local);
    return out;
  }

  void make_asserts() {
    const auto literal = [&] {
      const auto& [label, name] = all_locals[below(all_locals.size())];
      return fmt::format("{}.{} == {}", label, name, constant());
    };
    while (!all_locals.empty() && draft.asserts.size() < 2 && random.chance(0.6))
      draft.asserts.push_back(random.chance(0.7)
                                  ? fmt::format("!({} && {})", literal(), literal())
                                  : fmt::format("{} || !({})", literal(), literal()));
  }

  Draft make() {
    key_count = 1 + below(3);
    for (std::size_t k = 0; k < key_count; ++k)
      if (random.chance(0.85))
        draft.initial.push_back(fmt::format("\"k{}\" = {}", k, constant()));
    const bool is_tiny = random.chance(0.1);
    const std::size_t count = is_tiny ? 7 + below(2) : 2 + below(5);
    size_max = is_tiny ? 1 : 4;
    std::vector<std::size_t> sizes(2 + below(2), 1);
    for (std::size_t left = count > sizes.size() ? count - sizes.size() : 0; left > 0;
         --left)
      ++sizes[below(sizes.size())];
    std::size_t number = 0;
    for (const std::size_t size : sizes) {
      auto& session = draft.sessions.emplace_back();
      for (std::size_t i = 0; i < size; ++i)
        session.push_back(transaction(++number));
    }
    make_asserts();
    return std::move(draft);
  }
};

}  // namespace

Draft random_draft(std::uint64_t seed) {
  return Maker{.random = Random(seed)}.make();
}

}  // namespace isomer::explore
