// SPDX-License-Identifier: MIT
// The sessions of a scenario, its initial rows and its conditions.
#include <fmt/format.h>

#include "program/call_table.h"
#include "program/scenario/reader.h"

namespace isomer::program {

void ScenarioReader::read_sessions() {
  const TomlValue* sessions = root_.find("session");
  if (sessions == nullptr) return;
  if (!expect(*sessions, TomlValue::Kind::Array, "[[session]]")) return;
  for (const TomlValue& session : sessions->items)
    read_session(session);
}

void ScenarioReader::read_session(const TomlValue& from) {
  if (from.kind != TomlValue::Kind::Table)
    return fail(from.at, "a session must be a table");
  check_keys(from, "[[session]]", {"name", "calls", "script", "retry"});
  Session session;
  session.name = fmt::format("s{}", program_.sessions.size() + 1);
  if (const TomlValue* name = from.find("name")) {
    if (!expect(*name, TomlValue::Kind::String, "the session's name")) return;
    session.name = name->text;
    for (const Session& other : program_.sessions)
      if (other.name == session.name)
        fail(name->at, fmt::format("there are two sessions '{}'", session.name));
  }
  if (const TomlValue* retry = from.find("retry")) read_retry(*retry, session);
  const TomlValue* calls = from.find("calls");
  const TomlValue* script = from.find("script");
  if ((calls == nullptr) == (script == nullptr))
    return fail(script == nullptr ? from.at : script->at,
                script == nullptr ? "a session needs calls = [..]"
                                  : "a session has calls or a script, not both");
  if (script != nullptr)
    read_session_script(*script, session);
  else if (expect(*calls, TomlValue::Kind::Array, "calls"))
    read_calls(*calls, session);
  program_.sessions.push_back(std::move(session));
}

void ScenarioReader::read_calls(const TomlValue& calls, Session& session) {
  for (const TomlValue& call : calls.items)
    if (expect(call, TomlValue::Kind::String, "a call"))
      if (auto parsed = read_call(sql_, sql_text(call)))
        session.calls.push_back(std::move(*parsed));
}

// Each transaction of a script is a type that is called once.
void ScenarioReader::read_session_script(const TomlValue& script, Session& session) {
  if (!expect(script, TomlValue::Kind::String, "script")) return;
  if (script.inside.last == 0 && !script.text.empty())
    return fail(script.at, "script cannot have escapes; write it between ''' and '''");
  for (TransactionType& type :
       read_script(program_, here(script.inside), session.name, reporter_)) {
    Call call;
    call.type = static_cast<std::uint32_t>(program_.types.size());
    call.text = type.name;
    call.at = type.at;
    session.calls.push_back(std::move(call));
    program_.types.push_back(std::move(type));
  }
}

void ScenarioReader::read_retry(const TomlValue& from, Session& session) {
  constexpr std::uint32_t retry_max = 1000;
  if (whole_number(from, session.retry) && session.retry <= retry_max) return;
  fail(from.at, fmt::format("expected retry = N, a number from 0 to {}", retry_max));
}

void ScenarioReader::read_invariants() {
  const TomlValue* section = table("invariant");
  if (section == nullptr) return;
  const Program with_calls = with_call_table(program_);
  ScenarioSql sql{.program = with_calls,
                  .reporter = reporter_,
                  .symbols = std::move(sql_.symbols),
                  .values = sql_.values};
  for (const TomlEntry& entry : section->entries)
    if (expect(entry.value, TomlValue::Kind::String, "an invariant"))
      if (SelectPtr query = read_invariant(sql, sql_text(entry.value)))
        program_.invariants.push_back({.name = entry.key,
                                       .query = std::move(query),
                                       .assert = nullptr,
                                       .text = entry.value.text});
  sql_.symbols = std::move(sql.symbols);
}

void ScenarioReader::read_assumptions() {
  const TomlValue* section = table("assume");
  if (section == nullptr) return;
  for (const TomlEntry& entry : section->entries)
    if (expect(entry.value, TomlValue::Kind::String, "an assumption"))
      if (ExpressionPtr condition = read_assumption(sql_, sql_text(entry.value)))
        program_.assumptions.push_back({.name = entry.key,
                                        .condition = std::move(condition),
                                        .text = entry.value.text});
}

void ScenarioReader::read_initial_state() {
  const TomlValue* section = table("init");
  if (section == nullptr) return;
  check_keys(*section, "[init]", {"sql", "assume"});
  if (const TomlValue* sql = section->find("sql")) {
    if (!expect(*sql, TomlValue::Kind::String, "init.sql")) return;
    if (sql->inside.last == 0 && !sql->text.empty())
      return fail(sql->at, "init.sql cannot have escapes; write it between ''' and '''");
    if (!sql->text.empty()) add_initial_rows(program_, here(sql->inside), reporter_);
  }
  const TomlValue* assumed = section->find("assume");
  if (assumed == nullptr || !expect(*assumed, TomlValue::Kind::Array, "init.assume"))
    return;
  program_.has_open_state = true;  // an empty list asks nothing of the rows
  for (const TomlValue& name : assumed->items)
    read_initial_invariant(name);
}

void ScenarioReader::read_initial_invariant(const TomlValue& name) {
  if (!expect(name, TomlValue::Kind::String, "the name of an invariant")) return;
  Names known;
  for (std::uint32_t i = 0; i < program_.invariants.size(); ++i) {
    if (program_.invariants[i].name == name.text)
      return program_.initial_invariants.push_back(i);
    known.push_back(program_.invariants[i].name);
  }
  fail(name.at,
       fmt::format("there is no invariant '{}'{}", name.text, hint(name.text, known)));
}

}  // namespace isomer::program
