// SPDX-License-Identifier: MIT
// Random small SQL applications that are meant to be hard to get right: three tables, some
// of them empty at the start, NULL in every place that may have one, and conditions whose
// queries stand behind AND, OR, CASE and COALESCE, or inside other queries, correlated or
// not.  Invariants, statements and WHERE clauses are drawn from the same grammar.
#pragma once

#include <cstdint>
#include <string>

#include "support/verify/random_application.h"

namespace isomer {

// What is open for verify in the scenario.
enum class Openness : std::uint8_t {
  Closed,     // nothing
  Arguments,  // some arguments are ?p0, ?p1, .., with assumptions about them or not
  State,      // these, and any rows that satisfy the first invariant
};

RandomApplication hostile_application(std::uint64_t seed, Openness openness);

// One closed scenario of those that an open one stands for: a constant or NULL for each ?p,
// and more initial rows if the state is open.  Not all of them satisfy what is assumed, and
// not all can be loaded.
std::string random_instance(const std::string& scenario, std::uint64_t seed);

}  // namespace isomer
