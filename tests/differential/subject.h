// SPDX-License-Identifier: MIT
// What agreements of engines for programs are about: a litmus program or an SQL
// application, and a level to run it at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/asked_level.h"
#include "differential/agreement.h"
#include "program/ir.h"
#include "program/machine/machine.h"
#include "support/explore/draft.h"
#include "support/verify/hostile_application.h"

namespace isomer::differential {

// As texts that can be cut down.
struct Application {
  std::string sql;
  std::string scenario;  // of a file beside app.sql
};

// Goes through files in $SCRATCH, since a scenario names its application's file.
Expected<program::Program> loaded(const Application& application);

// Without a line, a block of lines or a call.  Many are no programs.
std::vector<Application> smaller(const Application& application);

std::vector<Evidence::File> files_of(const Application& application);

struct Subject {
  std::optional<explore::Draft> draft;  // absent: it is one of the next two
  std::string litmus;                   // empty: it is the application
  Application application;
  check::AskedLevel level = check::Level::CC;
  program::Granularity granularity = program::Granularity::Row;
  std::uint64_t seed = 0;  // for what else is drawn
};

Subject random_litmus(std::uint64_t seed);
Subject random_application(std::uint64_t seed);
// With guarded and nested queries, empty tables and NULL.
Subject random_hostile(std::uint64_t seed, Openness openness);
Subject random_audited(std::uint64_t seed);  // an application that audit can do
// With all types of values; for audit, and for verify.
Subject random_typed(std::uint64_t seed);
Subject random_typed_with_invariants(std::uint64_t seed);

Subject random_readers(std::uint64_t seed);  // of support/audit/harm.h

std::string litmus_text(const Subject& subject);  // empty if it is an application

// Diagnostics: it is none, as happens when programs are cut down.
Expected<program::Program> program_of(const Subject& subject);

std::vector<Subject> smaller(const Subject& subject);

// From the files that evidence_of() makes.
Subject read_subject(const std::filesystem::path& folder);

template <const Question<Subject>& question>
Case kept_case(const std::filesystem::path& folder) {
  return case_of(read_subject(folder), question);
}

// The commands are those of isomer, without the name of its file.
Evidence evidence_of(const Subject& subject, const std::vector<std::string>& commands);

// "--level SI --granularity row"
std::string level_options(const Subject& subject);

}  // namespace isomer::differential
