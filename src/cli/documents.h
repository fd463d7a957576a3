// SPDX-License-Identifier: MIT
// The documents that a command can make besides its text: --json, --dot, --svg and --html.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "cli/arguments.h"

namespace isomer::cli {

struct DocumentFiles {
  bool json = false;
  bool text = true;  // off if standard output is taken
  std::string dot;   // empty if not wanted
  std::string svg;
  std::string html;
};

// At most one of them may want standard output.
DocumentFiles documents_in(const Arguments& arguments, OptionReader& reader);

// The command as typed, without where results go, so that a hint can repeat it.
std::string command_typed(std::string_view command, std::span<const Option> options,
                          const Arguments& arguments);

// How to make each; called only for those wanted.  Text may have been written already.
struct DocumentMakers {
  std::function<std::string()> text;
  std::function<std::string()> json;
  std::function<std::string()> dot;
  std::function<Expected<std::string>()> html;
  std::function<Expected<std::string>()> svg = {};  // absent: the pictures of the page
};

// Gives the exit status: 0, or that of a failure, which has been told.
int write_documents(std::string_view command, const DocumentFiles& files,
                    const DocumentMakers& makers);

}  // namespace isomer::cli
