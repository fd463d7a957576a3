// SPDX-License-Identifier: MIT
// The trust boundary.  Nobody trusts a search: what an engine found leaves it as a
// Certified<..> and in no other way, reports accept nothing else, and only the functions
// of check/certify/certify.h can make one.
//
// Who vouches for what:
// - an engine says which levels allow and which forbid the history that it found (Claims);
// - the checkers (check/uncertified.h), which share no code with the searches, decide these
//   levels anew;
// - refute(), by plain evaluation, derives every answer of the checkers from its evidence.
// If two of the three disagree, that is a mistake of ours, and nothing is shown.
//
// What is NOT certified, because it comes without a history to look at: that there is none.
// "Holds", "no cycle", "no history of this size", "no prediction", "none is smaller", and
// how many histories there are rest on the engines and on the tests that compare them.
// Nor are these: a level that the checkers did not decide in time (its answer is Unknown,
// in what is shown too); commit orders of very long histories, unless somebody asks for it
// (Result::has_certified_witnesses); and a violation of which nothing is known but a set of
// transactions too many to try every order of.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "history/history.h"

namespace isomer::check {

struct Claims;
struct Result;

// What was certified cannot be changed any more.
template <class T>
class Certified {
 public:
  const T& operator*() const { return value_; }

  const T* operator->() const { return &value_; }

  // Whatever works on a T works on a certified one.
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator const T&() const& { return value_; }

  // NOLINTNEXTLINE(google-explicit-constructor)
  operator const T&() const&& = delete;  // would dangle

 private:
  explicit Certified(T value) : value_(std::move(value)) {}

  friend tl::expected<Certified<Result>, std::string> certify(
      const history::History& history, Result answers);
  template <class Finding>
  friend tl::expected<Certified<Finding>, std::string> certify(
      Finding finding, history::History Finding::* history, const Claims& claims,
      const Budget& budget);
  friend struct HandMade;  // for tests of reports, and defined there

  T value_;
};

}  // namespace isomer::check
