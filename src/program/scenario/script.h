// SPDX-License-Identifier: MIT
// Scripts of sessions: SQL as a person types it into psql.  From BEGIN to COMMIT or
// ROLLBACK is one transaction; every statement outside of these is one of its own.
#pragma once

#include <string_view>
#include <vector>

#include "program/sql/text.h"

namespace isomer::program {

// The transactions of the script at this place of the source, as types without parameters;
// complains of what is wrong.
std::vector<TransactionType> read_script(const Program& program, Span at,
                                         std::string_view session, Reporter& reporter);

// The script of these transactions, of which each is one; as it stands in the source.
std::string script_text(const Program& program, const std::vector<Call>& calls);

}  // namespace isomer::program
