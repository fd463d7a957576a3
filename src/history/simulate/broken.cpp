// SPDX-License-Identifier: MIT
// A serial run with one violation in it.  The violation is a handful of transactions on
// keys of their own, padded with reads of ordinary keys that fit into the serial run where
// they stand.  So it is the only violation, and it breaks the levels that it breaks by
// itself.
//
// Where it breaks every level that orders transactions by causality, its transactions may
// stand far apart.  Otherwise they stand side by side, for else a chain of sessions and
// reads between them could make one of them see another, and break more levels.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "base/random.h"
#include "history/simulate/simulate.h"

namespace isomer::history {

namespace {

enum class Place : std::uint8_t { Apart, Together };

struct Script {
  Injection injection;
  std::string_view name;
  Place place;
  // Transactions separated by '|', each a session's letter, '!' if it aborts, and its
  // accesses: rx0 reads 0 from x, wx1 writes 1.
  std::string_view text;
};

constexpr std::array scripts = {
    Script{Injection::ThinAirRead, "thin-air-read", Place::Apart, "a rx1"},
    Script{Injection::AbortedRead, "aborted-read", Place::Apart, "a! wx1 | b rx1"},
    Script{Injection::IntermediateRead, "intermediate-read", Place::Apart,
           "a wx1 wx2 | b rx1"},
    Script{Injection::FutureRead, "future-read", Place::Apart, "a rx1 wx1"},
    Script{Injection::NotOwnLastWrite, "not-own-last-write", Place::Apart, "a wx1 wx2 rx1"},
    Script{Injection::OwnWriteIgnored, "own-write-ignored", Place::Apart, "a wx1 rx0"},
    Script{Injection::NonMonotonicRead, "non-monotonic-read", Place::Apart,
           "a wx1 | a wx2 | b rx2 rx1"},
    Script{Injection::WrCycle, "wr-cycle", Place::Apart, "a ry1 wx1 | b rx1 wy1"},
    Script{Injection::NonRepeatableRead, "non-repeatable-read", Place::Apart,
           "a wx1 | b wx2 | c rx1 rx2"},
    Script{Injection::FracturedRead, "fractured-read", Place::Apart,
           "a wx1 wy1 | b ry0 rx1"},
    Script{Injection::ReadYourWrites, "read-your-writes", Place::Apart, "a wx1 | a rx0"},
    Script{Injection::MonotonicReads, "monotonic-reads", Place::Apart,
           "a wx1 | a wx2 | b rx2 | b rx1"},
    Script{Injection::MonotonicWrites, "monotonic-writes", Place::Apart,
           "a wx1 | a wy1 | b ry1 rx0"},
    Script{Injection::WritesFollowReads, "writes-follow-reads", Place::Apart,
           "a wx1 | b rx1 | b wy1 | c ry1 rx0"},
    Script{Injection::CausalityViolation, "causality-violation", Place::Apart,
           "a wx1 | b rx1 wx2 | c rx2 wy1 | d ry1 rx1"},
    Script{Injection::OrderCycle, "order-cycle", Place::Apart,
           "a wx1 wy1 wp1 | b wx2 wy2 wq1 | c rq1 wu1 | d ru1 rx1 | e rp1 wv1 | f rv1 ry2"},
    Script{Injection::LongFork, "long-fork", Place::Together,
           "a wx1 | b wy1 | c rx1 ry0 | d rx0 ry1"},
    Script{Injection::LostUpdate, "lost-update", Place::Together, "a rx0 wx1 | b rx0 wx2"},
    Script{Injection::WriteSkew, "write-skew", Place::Together,
           "a rx0 ry0 wx1 | b rx0 ry0 wy1"},
    Script{Injection::ReadOnlyAnomaly, "read-only-anomaly", Place::Together,
           "a ry0 wy2 | c rx0 ry2 | b rx0 ry0 wx1"},
};

constexpr auto injection_list = [] {
  std::array<Injection, scripts.size()> list{};
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i] = scripts[i].injection;
  return list;
}();

static_assert(std::ranges::is_sorted(injection_list), "scripts are found by index");
static_assert(injection_list.back() == static_cast<Injection>(scripts.size() - 1));

const Script& script_of(Injection injection) {
  return scripts[static_cast<std::size_t>(injection)];
}

}  // namespace

std::span<const Injection> injections() {
  return injection_list;
}

std::optional<Injection> injection_named(std::string_view name) {
  for (const Script& script : scripts)
    if (script.name == name) return script.injection;
  return std::nullopt;
}

std::string_view name(Injection injection) {
  return script_of(injection).name;
}

namespace simulate {

namespace {

// The transactions of a script, with sessions numbered by letter, and keys numbered from
// `first_key` in order of appearance.
std::vector<Guest> guests_of(std::string_view text, std::uint32_t first_key) {
  std::vector<Guest> guests(1);
  std::string letters;
  for (std::size_t i = 0; i < text.size(); ++i) {
    Guest& guest = guests.back();
    const char c = text[i];
    if (c == ' ') continue;
    if (c == '|') {
      guests.emplace_back();
    } else if (c == '!') {
      guest.status = Status::Aborted;
    } else if (c == 'r' || c == 'w') {
      if (letters.find(text[i + 1]) == std::string::npos) letters += text[i + 1];
      const auto key = static_cast<std::uint32_t>(letters.find(text[i + 1]));
      guest.accesses.push_back(
          {c == 'r' ? OpKind::Read : OpKind::Write, first_key + key, text[i + 2] - '0'});
      i += 2;
    } else {
      guest.session = static_cast<std::uint32_t>(c - 'a');
    }
  }
  return guests;
}

// `count` different numbers below `bound`.
std::vector<std::uint32_t> draw_distinct(std::uint32_t count, std::uint32_t bound,
                                         Random& random) {
  std::vector<std::uint32_t> numbers(bound);
  std::iota(numbers.begin(), numbers.end(), 0U);
  for (std::uint32_t i = 0; i < count; ++i)
    std::swap(numbers[i], numbers[i + random.below(bound - i)]);
  numbers.resize(count);
  return numbers;
}

void draw_positions(std::vector<Guest>& guests, Place place, std::uint32_t transactions,
                    Random& random) {
  const auto draw_position = [&] {
    return static_cast<std::uint32_t>(random.below(std::uint64_t{transactions} + 1));
  };
  std::vector<std::uint32_t> positions(guests.size(), draw_position());
  if (place == Place::Apart) std::ranges::generate(positions, draw_position);
  std::ranges::sort(positions);
  for (std::size_t i = 0; i < guests.size(); ++i)
    guests[i].position = positions[i];
}

}  // namespace

History broken(const GenerateOptions& asked) {
  GenerateOptions options = asked;
  // Apart from the serial run's draws, so that these do not depend on the injection.
  Random random(options.seed ^ 0x696e6a656374ULL);
  const Injection injection =
      options.injection.value_or(injection_list[random.below(injection_list.size())]);
  const Script& script = script_of(injection);

  std::vector<Guest> guests = guests_of(script.text, options.keys);
  const auto guest_count = static_cast<std::uint32_t>(guests.size());
  options.transactions -= std::min(options.transactions, guest_count);
  const std::uint32_t session_count =
      std::ranges::max(guests, {}, &Guest::session).session + 1;
  options.sessions = std::max(options.sessions, session_count);

  const std::vector<std::uint32_t> sessions =
      draw_distinct(session_count, options.sessions, random);
  for (Guest& guest : guests)
    guest.session = sessions[guest.session];
  draw_positions(guests, script.place, options.transactions, random);
  return serial(options, guests);
}

}  // namespace simulate

}  // namespace isomer::history
