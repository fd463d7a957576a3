// SPDX-License-Identifier: MIT
#include "program/calendar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace isomer::program {
namespace {

constexpr std::int64_t second_microseconds = 1'000'000;
constexpr std::int64_t day_microseconds = 86'400 * second_microseconds;

// A year as astronomers count: 0 is 1 BC, -1 is 2 BC.
struct CivilDate {
  std::int64_t year = 0;
  int month = 1;
  int day = 1;
};

bool is_leap(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_of_month(std::int64_t year, int month) {
  constexpr std::array<int, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : days[static_cast<std::size_t>(month - 1)];
}

std::int64_t floor_division(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// Days of the years before this one, counted from the year 0.
std::int64_t days_before(std::int64_t year) {
  const std::int64_t last = year - 1;
  return 365 * year + floor_division(last, 4) - floor_division(last, 100) +
         floor_division(last, 400) + 1;
}

std::int64_t day_number(const CivilDate& date) {
  std::int64_t out = days_before(date.year) - days_before(2000) + date.day - 1;
  for (int month = 1; month < date.month; ++month)
    out += days_of_month(date.year, month);
  return out;
}

CivilDate civil(std::int64_t days) {
  constexpr std::int64_t era_years = 400;
  constexpr std::int64_t era_days = 146'097;
  const std::int64_t era = floor_division(days, era_days);
  std::int64_t rest = days - era * era_days;  // from 2000 + 400 * era on
  CivilDate out{.year = 2000 + era * era_years};
  for (std::int64_t year_days = 366; rest >= year_days;
       year_days = is_leap(out.year) ? 366 : 365) {
    rest -= year_days;
    ++out.year;
  }
  for (; rest >= days_of_month(out.year, out.month); ++out.month)
    rest -= days_of_month(out.year, out.month);
  out.day = static_cast<int>(rest) + 1;
  return out;
}

// --- reading ---

using Error = CalendarError;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view take_digits(std::string_view& text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view out = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(out.size());
  return out;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Words that stand for a moment.
bool is_special(std::string_view text) {
  constexpr std::array<std::string_view, 8> words{"infinity", "-infinity", "+infinity",
                                                  "epoch",    "now",       "today",
                                                  "tomorrow", "yesterday"};
  std::string word(text);
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Of few digits, which the caller has seen to.
int number(std::string_view digits) {
  int out = 0;
  for (const char c : digits)
    out = out * 10 + (c - '0');
  return out;
}

// What no other format could mean: a year of three digits or more, month and day of two.
tl::expected<CivilDate, Error> take_date(std::string_view& text) {
  if (is_special(text)) return tl::unexpected(Error::Unsupported);
  if (text.starts_with('-') || text.starts_with('+'))
    return tl::unexpected(text.size() > 1 && is_digit(text[1]) ? Error::Displacement
                                                               : Error::Syntax);
  const std::string_view year = take_digits(text);
  if (year.empty()) return tl::unexpected(Error::Syntax);
  if (!take(text, '-'))
    return tl::unexpected(text.empty() && year.size() < 5 ? Error::Syntax
                                                          : Error::Unsupported);
  const std::string_view month = take_digits(text);
  if (text.empty() && month.size() < 3) return tl::unexpected(Error::Syntax);
  if (!take(text, '-')) return tl::unexpected(Error::Unsupported);
  const std::string_view day = take_digits(text);
  const auto is_short = [](std::string_view digits) {
    return digits.size() == 1 || digits.size() == 2;
  };
  if (year.size() < 3 || !is_short(month) || !is_short(day))
    return tl::unexpected(Error::Unsupported);
  if (year.size() > 7) return tl::unexpected(Error::OutOfRange);
  return CivilDate{.year = number(year), .month = number(month), .day = number(day)};
}

// Microseconds of the digits behind the point, as floating point rounds them there.
std::int64_t fraction(std::string_view digits) {
  const std::string text = "0." + std::string(digits);
  return std::llrint(std::strtod(text.c_str(), nullptr) * double{second_microseconds});
}

// 24:00:00 and a second 60 are fine, as long as the day is not over.
tl::expected<std::int64_t, Error> take_time(std::string_view& text) {
  const std::string_view hour = take_digits(text);
  if (hour.empty()) return tl::unexpected(Error::Syntax);
  if (!take(text, ':')) return tl::unexpected(Error::Syntax);
  const std::string_view minute = take_digits(text);
  if (hour.size() > 2 || minute.empty() || minute.size() > 2)
    return tl::unexpected(Error::Unsupported);
  std::string_view second = "0";
  std::int64_t rest = 0;
  if (take(text, ':')) second = take_digits(text);
  if (second.empty() || second.size() > 2) return tl::unexpected(Error::Unsupported);
  if (take(text, '.')) rest = fraction(take_digits(text));
  if (number(minute) > 59 || number(second) > 60) return tl::unexpected(Error::OutOfRange);
  const std::int64_t out =
      ((number(hour) * 60 + number(minute)) * 60 + number(second)) * second_microseconds +
      rest;
  if (out > day_microseconds) return tl::unexpected(Error::OutOfRange);
  return out;
}

void skip_blanks(std::string_view& text) {
  while (take(text, ' ')) {
  }
}

// BC or AD at the end; whether it is BC, absent if something else is there.
std::optional<bool> take_era(std::string_view text) {
  skip_blanks(text);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  if (text.empty()) return false;
  if (text.size() != 2) return std::nullopt;
  const auto is = [&](std::string_view era) {
    return (text[0] | 0x20) == era[0] && (text[1] | 0x20) == era[1];
  };
  if (!is("bc") && !is("ad")) return std::nullopt;
  return is("bc");
}

struct Moment {
  std::int64_t days = 0;
  std::int64_t microseconds = 0;
};

tl::expected<Moment, Error> parse_moment(std::string_view text) {
  auto date = take_date(text);
  if (!date) return tl::unexpected(date.error());
  Moment out;
  std::string_view behind = text;
  skip_blanks(behind);
  if (behind.starts_with('T') || behind.starts_with('t')) behind.remove_prefix(1);
  if (!behind.empty() && is_digit(behind.front())) {
    const auto time = take_time(behind);
    if (!time) return tl::unexpected(time.error());
    out.microseconds = *time;
    text = behind;
  }
  const auto is_before_christ = take_era(text);
  if (!is_before_christ) return tl::unexpected(Error::Unsupported);
  if (date->year < 1 || date->month < 1 || date->month > 12 || date->day < 1)
    return tl::unexpected(Error::OutOfRange);
  if (*is_before_christ) date->year = 1 - date->year;
  if (date->day > days_of_month(date->year, date->month))
    return tl::unexpected(Error::OutOfRange);
  out.days = day_number(*date);
  return out;
}

std::string day_text(const CivilDate& date) {
  const std::int64_t year = date.year > 0 ? date.year : 1 - date.year;
  return fmt::format("{:04}-{:02}-{:02}", year, date.month, date.day);
}

std::string_view era_text(const CivilDate& date) {
  return date.year > 0 ? "" : " BC";
}

}  // namespace

tl::expected<Date, CalendarError> parse_date(std::string_view text) {
  const auto moment = parse_moment(text);
  if (!moment) return tl::unexpected(moment.error());
  if (moment->days < first_date().days || moment->days > last_date().days)
    return tl::unexpected(Error::OutOfRange);
  return Date{static_cast<std::int32_t>(moment->days)};
}

tl::expected<Timestamp, CalendarError> parse_timestamp(std::string_view text) {
  const auto moment = parse_moment(text);
  if (!moment) return tl::unexpected(moment.error());
  // The day before the first may still be rounded up to it.
  if (moment->days < first_date().days - 1 || moment->days > date_of(last_timestamp()).days)
    return tl::unexpected(Error::OutOfRange);
  const Timestamp out{moment->days * day_microseconds + moment->microseconds};
  if (out < first_timestamp() || out > last_timestamp())
    return tl::unexpected(Error::OutOfRange);
  return out;
}

std::string to_text(Date date) {
  const CivilDate parts = civil(date.days);
  return day_text(parts).append(era_text(parts));
}

std::string to_text(Timestamp time) {
  const Date date = date_of(time);
  const CivilDate parts = civil(date.days);
  const std::int64_t rest = time.microseconds - date.days * day_microseconds;
  const std::int64_t seconds = rest / second_microseconds;
  std::string out = fmt::format("{} {:02}:{:02}:{:02}", day_text(parts), seconds / 3600,
                                seconds / 60 % 60, seconds % 60);
  if (rest % second_microseconds != 0) {
    out += fmt::format(".{:06}", rest % second_microseconds);
    out.resize(out.find_last_not_of('0') + 1);
  }
  return out.append(era_text(parts));
}

Date date_of(Timestamp time) {
  return Date{
      static_cast<std::int32_t>(floor_division(time.microseconds, day_microseconds))};
}

std::optional<Timestamp> midnight_of(Date date) {
  if (date < first_date() || date > date_of(last_timestamp())) return std::nullopt;
  return Timestamp{date.days * day_microseconds};
}

std::strong_ordering compare(Date date, Timestamp time) {
  const Date day = date_of(time);
  if (date != day) return date <=> day;
  return day.days * day_microseconds <=> time.microseconds;
}

Date first_date() {
  static const auto out = static_cast<std::int32_t>(day_number({-4713, 11, 24}));
  return Date{out};
}

Date last_date() {
  static const auto out = static_cast<std::int32_t>(day_number({5'874'897, 12, 31}));
  return Date{out};
}

Timestamp first_timestamp() {
  return Timestamp{first_date().days * day_microseconds};
}

Timestamp last_timestamp() {
  static const std::int64_t end = day_number({294'277, 1, 1}) * day_microseconds;
  return Timestamp{end - 1};
}

bool is_representable(Date date) {
  return first_date() <= date && date <= last_date();
}

}  // namespace isomer::program
