// SPDX-License-Identifier: MIT
// What a name stands for.  A user's definition hides one of the standard library; a text
// of the library sees only the library.
#pragma once

#include <string_view>

#include "level/language/syntax.h"

namespace isomer::level {

enum class Seen : bool { OnlyStandard, All };

const Block* framework_named(const Program& program, std::string_view name, Seen seen);
const Block* framework_of(const Program& program, const Block& level);

// A level of that very framework; of any, if there is none given.
const Block* level_named(const Program& program, std::string_view name,
                         const Block* framework, Seen seen);

const Let* let_named(const std::vector<Let>& lets, std::string_view name);
const Let* let_named(const Program& program, std::string_view name, Seen seen);
const WitnessSyntax* witness_named(const Block& framework, std::string_view name);

// Every name of the users' texts: complains of those that nothing has, and of those that
// two have.  Without complaints, elaboration finds every name, except those of lets that
// are used in a framework they do not fit.
void check_names(const Program& program, Diagnostics& errors);

}  // namespace isomer::level
