// SPDX-License-Identifier: MIT
#include "support/database/fine_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/machine/serial.h"
#include "support/database/experiment.h"

namespace isomer::test {

using database::Footprint;
using database::Reply;
using database::SessionIndex;
using database::Task;
using program::AsksServer;

namespace {

std::string text_of(std::span<const program::Value> row) {
  std::string out;
  for (const program::Value& value : row)
    out += (out.empty() ? "" : ", ") + program::to_text(value);
  return out;
}

std::string text_of(const Reply& reply) {
  if (reply.kind == Reply::Kind::Failed) return reply.fault.sqlstate;
  std::string out = std::to_string(reply.count);
  for (const auto& row : reply.rows)
    out += fmt::format(" ({})", text_of(row));
  return out;
}

}  // namespace

FineRun::FineRun(const program::Program& program)
    : program_(&program),
      backends_(program, program.sessions.size()),
      places_(program.sessions.size()),
      replies_(program.sessions.size()) {
  for (SessionIndex session = 0; session < places_.size(); ++session)
    start_call(session);
}

void FineRun::start_call(SessionIndex session) {
  Place& place = places_[session];
  place.machine.reset();
  const auto& calls = program_->sessions[session].calls;
  if (place.call == calls.size()) return;
  const program::Call& call = calls[place.call++];
  const program::TransactionType& type = program_->types[call.type];
  place.machine =
      program::Machine::on_server(*program_, call, program::argument_values(call));
  backends_.begin(session, begin_options(type));
  place.next = place.machine->next();
  prepare(session);
}

void FineRun::prepare(SessionIndex session) {
  Place& place = places_[session];
  if (!place.machine) return;
  Task task{.kind = std::holds_alternative<program::Commits>(place.next)
                        ? Task::Kind::Commit
                        : Task::Kind::RollBack};
  if (const auto* what = std::get_if<AsksServer>(&place.next)) {
    const program::Bindings bindings = place.machine->bindings();
    task = {.kind = Task::Kind::Ask,
            .what = *what,
            .variables = {bindings.variables.begin(), bindings.variables.end()},
            .found = bindings.found,
            .row_count = bindings.row_count};
  }
  if (const auto reply = backends_.start(session, std::move(task)))
    receive(session, *reply);
}

void FineRun::receive(SessionIndex session, const Reply& reply) {
  Place& place = places_[session];
  replies_[session].push_back(text_of(reply));
  if (!std::holds_alternative<AsksServer>(place.next)) return start_call(session);
  if (reply.kind == Reply::Kind::Failed)
    place.machine->fail(reply.fault);
  else
    place.machine->answer({.rows = reply.rows, .count = reply.count});
  place.next = place.machine->next();
  prepare(session);
}

std::vector<SessionIndex> FineRun::enabled() const {
  std::vector<SessionIndex> out;
  for (SessionIndex session = 0; session < places_.size(); ++session)
    if (backends_.wanted(session) != nullptr && backends_.blockers(session).empty())
      out.push_back(session);
  return out;
}

std::vector<SessionIndex> FineRun::blocked() const {
  std::vector<SessionIndex> out;
  for (SessionIndex session = 0; session < places_.size(); ++session)
    if (!backends_.blockers(session).empty()) out.push_back(session);
  return out;
}

Footprint FineRun::step(SessionIndex session) {
  Footprint touched;
  if (const auto reply = backends_.step(session, touched)) receive(session, *reply);
  return touched;
}

void FineRun::sleep(SessionIndex session) {
  Footprint touched;
  backends_.sleep(session, touched);
}

void FineRun::fail(SessionIndex session) {
  Footprint touched;
  receive(session, backends_.fail_as_victim(session, touched));
}

void FineRun::finish() {
  while (true) {
    const auto able = enabled();
    const auto stuck = blocked();
    if (able.empty() && stuck.empty()) return;
    if (!able.empty()) {
      step(able.front());
      continue;
    }
    for (const SessionIndex session : stuck)
      sleep(session);
    const auto victim = std::find_if(stuck.begin(), stuck.end(), [&](SessionIndex session) {
      return !backends_.circle_of(session).empty();
    });
    if (victim == stuck.end()) return;  // they wait for one who has nothing to do
    fail(*victim);
  }
}

std::vector<std::vector<std::string>> FineRun::committed_rows() const {
  std::vector<std::vector<std::string>> out;
  for (const auto& table : backends_.committed_rows()) {
    auto& rows = out.emplace_back();
    for (const auto& row : table)
      rows.push_back(text_of(row));
  }
  return out;
}

}  // namespace isomer::test
