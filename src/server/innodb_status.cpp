// SPDX-License-Identifier: MIT
#include "server/innodb_status.h"

#include <algorithm>
#include <charconv>

namespace isomer::server {
namespace {

// Behind the last row of a page stands a place that has a gap and no row.
constexpr std::uint32_t end_of_page = 1;

std::string_view after(std::string_view line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  return at == std::string_view::npos ? std::string_view() : line.substr(at + mark.size());
}

std::uint64_t number_in(std::string_view text) {
  std::uint64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// RECORD LOCKS space id 5 page no 3 n bits 320 index PRIMARY of table `x`.`t` trx id 24
// lock_mode X locks rec but not gap waiting
RowLocks locks_in(std::string_view line) {
  const std::string_view space = after(line, "space id ");
  const std::string_view page = after(line, "page no ");
  const std::string_view mode = after(line, "lock_mode ");
  const auto says = [&](std::string_view words) {
    return mode.find(words) != std::string_view::npos;
  };
  return {.page = std::string(space.substr(0, space.find(' '))) + " " +
                  std::string(page.substr(0, page.find(' '))),
          .rows = {},
          .is_exclusive = mode.starts_with('X'),
          .is_of_gap = says("locks gap before rec"),
          .is_of_row = says("locks rec but not gap"),
          .is_of_insert = says("insert intention")};
}

class Parser {
 public:
  void add(std::string_view line) {
    if (line.starts_with("---TRANSACTION")) return begin();
    if (line.starts_with("Purge done for"))
      out_.purges = line.find("state: running but idle") == std::string_view::npos;
    if (line.starts_with("LOCK WAIT")) now_.waits = true;
    for (const std::string_view mark : {"MariaDB thread id ", "MySQL thread id "})
      if (line.starts_with(mark)) name(number_in(line.substr(mark.size())));
    if (line.starts_with("------- TRX HAS BEEN WAITING")) is_awaited_ = true;
    if (line == "------------------") is_awaited_ = false;
    if (line.find("SUPPRESSING FURTHER PRINTS") != std::string_view::npos)
      current().is_complete = false;
    if (line.starts_with("RECORD LOCKS")) {
      if (is_awaited_)
        current().awaited = locks_in(line);
      else
        current().all.push_back(locks_in(line));
    }
    if (line.starts_with("Record lock, heap no ")) {
      const auto row = static_cast<std::uint32_t>(
          number_in(line.substr(sizeof("Record lock, heap no"))));
      if (is_awaited_)
        current().awaited.rows.insert(row);
      else if (!current().all.empty())
        current().all.back().rows.insert(row);
    }
  }

  InnodbStatus take() { return std::move(out_); }

 private:
  void begin() {
    now_ = {};
    thread_ = 0;
    is_awaited_ = false;
  }

  void name(std::uint64_t thread) {
    thread_ = thread;
    out_.by_thread[thread] = now_;
  }

  TransactionLocks& current() { return thread_ == 0 ? now_ : out_.by_thread[thread_]; }

  InnodbStatus out_;
  TransactionLocks now_;  // until its thread is known
  std::uint64_t thread_ = 0;
  bool is_awaited_ = false;
};

// InnoDB's lock_rec_has_to_wait.
bool has_to_wait(const RowLocks& wanted, const RowLocks& other) {
  if (wanted.page != other.page || (!wanted.is_exclusive && !other.is_exclusive))
    return false;
  const bool meets =
      std::any_of(wanted.rows.begin(), wanted.rows.end(),
                  [&](std::uint32_t row) { return other.rows.contains(row); });
  if (!meets) return false;
  const bool is_of_gap = wanted.is_of_gap || wanted.rows.contains(end_of_page);
  if (is_of_gap && !wanted.is_of_insert) return false;
  if (!wanted.is_of_insert && other.is_of_gap) return false;
  if (wanted.is_of_gap && other.is_of_row) return false;
  return !other.is_of_insert;
}

}  // namespace

InnodbStatus parse_innodb_status(std::string_view text) {
  Parser parser;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    parser.add(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parser.take();
}

std::set<std::uint64_t> blockers(const InnodbStatus& status, std::uint64_t thread) {
  std::set<std::uint64_t> out;
  const auto own = status.by_thread.find(thread);
  if (own == status.by_thread.end() || !own->second.waits) return out;
  for (const auto& [other, locks] : status.by_thread) {
    if (!locks.is_complete) return {};
    if (other != thread &&
        std::any_of(locks.all.begin(), locks.all.end(), [&](const RowLocks& lock) {
          return has_to_wait(own->second.awaited, lock);
        }))
      out.insert(other);
  }
  return out;
}

}  // namespace isomer::server
