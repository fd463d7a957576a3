// SPDX-License-Identifier: MIT
#include "reproduce/script.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "program/call_table.h"
#include "program/print/print.h"

namespace isomer::reproduce {
namespace {

using database::BeginOptions;
using database::Reply;
using database::Scenario;
using database::SessionIndex;
using program::AsksServer;

std::string begin_text(const BeginOptions& options) {
  static constexpr std::array levels = {"READ UNCOMMITTED", "READ COMMITTED",
                                        "REPEATABLE READ", "SERIALIZABLE"};
  return fmt::format("BEGIN ISOLATION LEVEL {}{}{}",
                     levels[static_cast<std::size_t>(options.level)],
                     options.is_read_only ? ", READ ONLY" : "",
                     options.is_deferrable ? ", DEFERRABLE" : "");
}

// Replies what was replied in the run, at once, and takes down what it was asked.
class Prompter final : public database::Server {
 public:
  Prompter(const program::Program& program, const Run& run)
      : program_(program), run_(run) {}

  // From now on, this step of the run.
  void enter(std::size_t step) {
    now_ = step;
    said_.push_back({.session = run_.steps[step].session, .statements = {}});
  }

  std::vector<ScriptStep> take() { return std::move(said_); }

  Reply begin(SessionIndex /*session*/, const BeginOptions& options) override {
    return say(begin_text(options), {});
  }

  // What has no statement stands at the beginning or the end of an EXCEPTION block.
  Reply ask(SessionIndex /*session*/, const AsksServer& what,
            const program::Bindings& bindings) override {
    const program::PrintNames names{.program = program_, .bindings = &bindings};
    const bool is_of_block = what.kind != AsksServer::Kind::Statement &&
                             what.kind != AsksServer::Kind::Value &&
                             what.statement == nullptr;
    return say(program::server_text(names, what), is_of_block ? Reply() : answer());
  }

  Reply commit(SessionIndex /*session*/) override { return say("COMMIT", answer()); }

  Reply rollback(SessionIndex /*session*/) override { return say("ROLLBACK", {}); }

  std::vector<std::pair<SessionIndex, Reply>> woken() override { return {}; }

  std::vector<std::vector<std::vector<program::Value>>> committed_rows() override {
    return {};
  }

 private:
  [[nodiscard]] const Reply& answer() const { return run_.steps[now_].reply; }

  Reply say(std::string statement, Reply reply) {
    said_.back().statements.push_back(std::move(statement));
    return reply;
  }

  const program::Program& program_;
  const Run& run_;
  std::size_t now_ = 0;
  std::vector<ScriptStep> said_;
};

}  // namespace

Script script_of(const Scenario& scenario, const Run& run) {
  const program::Program& program = scenario.program;
  Script out{.tables = program::table_definitions(program),
             .rows = program::initial_inserts(program),
             .steps = {},
             .questions = {}};
  Prompter prompter(program, run);
  database::ScheduleRun again(scenario, prompter);
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    prompter.enter(i);
    again.step(run.steps[i].session);
  }
  out.steps = prompter.take();
  const program::Bindings none;
  for (const program::Invariant& invariant : program.invariants)
    if (invariant.query && !program::asks_for_calls(program, invariant))
      out.questions.push_back(
          {.name = invariant.name,
           .query = program::to_text({.program = program, .bindings = &none},
                                     *invariant.query)});
  return out;
}

}  // namespace isomer::reproduce
