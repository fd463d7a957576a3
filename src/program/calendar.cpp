// SPDX-License-Identifier: MIT
#include "program/calendar.h"

#include <charconv>
#include <chrono>

#include <fmt/format.h>

namespace isomer::program {
namespace {

namespace chrono = std::chrono;

constexpr chrono::sys_days epoch =
    chrono::sys_days(chrono::year(2000) / chrono::January / 1);
constexpr std::int64_t day_microseconds = 86'400'000'000;

// Takes an unsigned number of at most `width` digits from the front.
std::optional<int> take_number(std::string_view& text, std::size_t width) {
  int out = 0;
  const char* last = text.data() + std::min(width, text.size());
  const auto [end, error] = std::from_chars(text.data(), last, out);
  if (error != std::errc() || text.starts_with('-')) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return out;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<Date> take_date(std::string_view& text) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day) return std::nullopt;
  const chrono::year_month_day date{chrono::year(*year),
                                    chrono::month(static_cast<unsigned>(*month)),
                                    chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *year < 1) return std::nullopt;
  return Date{static_cast<std::int32_t>((chrono::sys_days(date) - epoch).count())};
}

// Microseconds of ".5", rounded down after six digits.
std::int64_t take_fraction(std::string_view& text) {
  std::int64_t out = 0;
  std::int64_t unit = 100'000;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; unit /= 10) {
    out += unit * (text.front() - '0');
    text.remove_prefix(1);
  }
  return out;
}

std::optional<std::int64_t> take_time(std::string_view& text) {
  const auto hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  std::int64_t out = (*hour * 60LL + *minute) * 60'000'000;
  if (!take(text, ':')) return out;
  const auto second = take_number(text, 2);
  if (!second || *second > 59) return std::nullopt;
  out += *second * 1'000'000LL;
  if (take(text, '.')) out += take_fraction(text);
  return out;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  const auto date = take_date(text);
  return text.empty() ? date : std::nullopt;
}

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  const auto date = take_date(text);
  if (!date) return std::nullopt;
  if (text.empty()) return midnight_of(*date);
  if (!take(text, ' ') && !take(text, 'T')) return std::nullopt;
  const auto time = take_time(text);
  if (!time || !text.empty()) return std::nullopt;
  return Timestamp{midnight_of(*date).microseconds + *time};
}

std::string to_text(Date date) {
  const chrono::year_month_day parts(epoch + chrono::days(date.days));
  return fmt::format("{:04}-{:02}-{:02}", int(parts.year()), unsigned(parts.month()),
                     unsigned(parts.day()));
}

std::string to_text(Timestamp time) {
  const Date date = date_of(time);
  const std::int64_t rest = time.microseconds - midnight_of(date).microseconds;
  const std::int64_t seconds = rest / 1'000'000;
  std::string out = fmt::format("{} {:02}:{:02}:{:02}", to_text(date), seconds / 3600,
                                seconds / 60 % 60, seconds % 60);
  if (rest % 1'000'000 == 0) return out;
  out += fmt::format(".{:06}", rest % 1'000'000);
  while (out.back() == '0')
    out.pop_back();
  return out;
}

Date date_of(Timestamp time) {
  std::int64_t days = time.microseconds / day_microseconds;
  if (time.microseconds % day_microseconds < 0) --days;
  return Date{static_cast<std::int32_t>(days)};
}

Timestamp midnight_of(Date date) {
  return Timestamp{date.days * day_microseconds};
}

bool is_representable(Date date) {
  static const Date first = *parse_date("0001-01-01");
  static const Date last = *parse_date("9999-12-31");
  return first <= date && date <= last;
}

}  // namespace isomer::program
