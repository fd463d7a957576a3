// SPDX-License-Identifier: MIT
// The result of `isomer check` for people and for programs.  Everything here returns
// strings; nothing prints.
//
// JSON, DOT and HTML make one document of several histories: render each to a part while
// its history is in memory, then join the parts.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/check.h"
#include "report/json.h"

namespace isomer::report {

struct Checked {
  std::string file;  // as the person named it
  const history::History& history;
  const check::Certified<check::Result>& result;
};

struct TextOptions {
  bool colour = false;
  bool witness = false;  // print the orders that prove the levels found to hold
  // The command as the person typed it, for the hint of what to do next; empty: no hint.
  std::string command;
};

std::string check_text(const Checked& checked, const TextOptions& options);

struct JsonOptions {
  bool witness = false;
};

std::string check_json_part(const Checked& checked, const JsonOptions& options);

// The files without an answer.
struct Unanswered {
  Diagnostics errors = {};                    // of those that could not be read
  std::vector<std::string> not_checked = {};  // those that a limit came before
  std::optional<Undecided> undecided = {};    // the limit, if it ended the reading
};

std::string check_json(std::span<const std::string> parts, const Unanswered& unanswered);

// The transactions of each violation as a graph; the whole history if there is no violation
// and it is small.  `index` is the number of the part: it keeps names apart.
std::string check_dot_part(const Checked& checked, std::size_t index);
std::string check_dot(std::span<const std::string> parts);

// A page that needs nothing but itself.
std::string check_html_part(const Checked& checked, std::size_t index);
std::string check_html(std::span<const std::string> parts);

// The visibility of a PSI witness: pairs whose transitive closure is vis, by id, without
// those of the initial transaction, which everyone sees.
std::vector<std::pair<check::TxnId, check::TxnId>> visibility(
    const history::History& history, const check::Consistent& witness);

}  // namespace isomer::report
