// SPDX-License-Identifier: MIT
// Dates and timestamps as PostgreSQL reads and shows them (DateStyle ISO), in the calendar
// that it has for all times: the Gregorian, whose year before 0001 is 0001 BC.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "program/value.h"

namespace isomer::program {

// Why a text is no date or timestamp.
enum class CalendarError : std::uint8_t {
  Syntax,        // nothing like one
  OutOfRange,    // 2024-02-30, or beyond the years that the type has
  Unsupported,   // PostgreSQL may know what it means, we do not: 01/02/03, infinity
  Displacement,  // a sign before the year: it would be a time zone
};

// 2024-01-31, 12345-01-31, 0044-03-15 BC; a time behind it must be right, and is dropped.
tl::expected<Date, CalendarError> parse_date(std::string_view text);
// 2024-01-31[ |T]10:30[:15[.123456]][ BC]; a date alone is its midnight.  Fractions are
// rounded to microseconds.
tl::expected<Timestamp, CalendarError> parse_timestamp(std::string_view text);

std::string to_text(Date date);
std::string to_text(Timestamp time);

Date date_of(Timestamp time);
// Absent if the date is too far for a timestamp.
std::optional<Timestamp> midnight_of(Date date);

std::strong_ordering compare(Date date, Timestamp time);

// The days and moments that PostgreSQL has.
Date first_date();            // 4714-11-24 BC
Date last_date();             // 5874897-12-31
Timestamp first_timestamp();  // 4714-11-24 00:00:00 BC
Timestamp last_timestamp();   // 294276-12-31 23:59:59.999999
bool is_representable(Date date);

}  // namespace isomer::program
