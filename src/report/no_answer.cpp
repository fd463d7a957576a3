// SPDX-License-Identifier: MIT
#include "report/no_answer.h"

#include "report/json.h"

namespace isomer::report {
namespace {

// What a program that reads the answers of a command finds in each of them.
Json nothing_known(std::string_view command) {
  if (command == "check") return {{"histories", Json::array()}};
  if (command == "levels") return {{"levels", Json::array()}};
  if (command == "audit" || command == "verify") return {{"levels", Json::object()}};
  if (command == "synth" || command == "predict") return {{"result", "unknown"}};
  if (command == "compare") return {{"relation", "unknown"}};
  if (command == "explore") return {{"complete", false}};
  if (command == "run")
    return {{"runs", 0},
            {"unserializable", 0},
            {"invariants", Json::object()},
            {"first_failing_seed", nullptr},
            {"complete", false}};
  return Json::object();
}

}  // namespace

std::string errors_json(const Diagnostics& errors) {
  return document_text({{"errors", diagnostics_json(errors)}});
}

std::string undecided_json(std::string_view command, const Undecided& undecided) {
  Json document = nothing_known(command);
  document["undecided"] = {{"reason", undecided.reason},
                           {"while", undecided.activity},
                           {"seconds", undecided.seconds}};
  return document_text(document);
}

}  // namespace isomer::report
