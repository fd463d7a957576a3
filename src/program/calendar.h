// SPDX-License-Identifier: MIT
// Dates and timestamps as PostgreSQL reads and shows them (DateStyle ISO).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "program/value.h"

namespace isomer::program {

// 2024-01-31, years 0001 to 9999.
std::optional<Date> parse_date(std::string_view text);
// 2024-01-31[ |T]10:30[:15[.123456]]; a date alone is its midnight.
std::optional<Timestamp> parse_timestamp(std::string_view text);

std::string to_text(Date date);
std::string to_text(Timestamp time);

Date date_of(Timestamp time);
Timestamp midnight_of(Date date);

// Within the years that we can show.
bool is_representable(Date date);

}  // namespace isomer::program
