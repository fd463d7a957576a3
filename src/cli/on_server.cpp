// SPDX-License-Identifier: MIT
#include "cli/on_server.h"

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "cli/output.h"
#include "database/level_name.h"
#include "report/json.h"

namespace isomer::cli {
namespace {

constexpr const char* activity_of_local = "starting a server";
constexpr const char* activity_of_on = "connecting to the server";

}  // namespace

ServerWish server_wish_in(const Arguments& arguments, OptionReader& reader) {
  ServerWish out{.local = arguments.has("--local"), .keeps = arguments.has("--keep")};
  if (arguments.has("--on")) {
    auto address = server::parse_server_address(arguments.value("--on"));
    if (address)
      out.on = *std::move(address);
    else
      reader.fail("--on: " + address.error());
  }
  if (out.local && arguments.has("--on"))
    reader.fail("--on names a server and --local starts one; choose one of them");
  if (out.keeps && !arguments.has("--on"))
    reader.fail("--keep leaves tables on the server of --on, which is not given");
  return out;
}

tl::expected<reproduce::Target, std::string> open_target(const ServerWish& wish,
                                                         database::Database database,
                                                         const Arguments& arguments) {
  if (wish.on && wish.on->database != database)
    return tl::unexpected(
        fmt::format("the level is one of {}, and --on names a server of {}",
                    database::name(database), database::name(wish.on->database)));
  const Progress progress(arguments.budget(),
                          wish.local ? activity_of_local : activity_of_on);
  const server::RealServerOptions options{.budget = arguments.budget(),
                                          .keeps = wish.keeps};
  auto out = wish.local ? reproduce::local_target(database, options)
                        : reproduce::target_at(*wish.on, options);
  if (!out)
    return tl::unexpected(
        fmt::format("{}: {}", wish.local ? "--local" : "--on", out.error()));
  print_warnings("isomer", out->left_behind);
  return out;
}

int no_target(const Arguments& arguments, const std::string& why) {
  const Budget& budget = arguments.budget();
  if (budget.is_exhausted()) {
    const report::Undecided undecided{
        .reason = budget.reason(), .activity = activity_of_on, .seconds = 0};
    if (arguments.has("--json"))
      write_bytes("-", report::undecided_json(arguments.command(), undecided));
    fmt::print(stderr, "isomer {}: undecided: {}\n", arguments.command(),
               report::undecided_text(undecided));
    return status_undecided;
  }
  if (arguments.has("--json"))
    write_bytes("-", report::errors_json({diagnostic_of_file(
                         arguments.has("--on") ? "--on" : "--local", why)}));
  fmt::print(stderr, "isomer {}: error: {}\n", arguments.command(), why);
  return status_bad_input;
}

}  // namespace isomer::cli
