// SPDX-License-Identifier: MIT
// A few transactions and dependencies between some of them, as one formula: the grounded
// encoding of section 4 of the paper.
//
// The transactions of a cycle, and one record for each of its dependencies, are constants,
// and every rule is instantiated with these only.  What is left out only weakens what is
// known, so "no solution" still means that there is no such cycle.
#pragma once

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "audit/constraint.h"
#include "audit/counters.h"
#include "audit/statements/type_run.h"

namespace isomer::audit {

// Columns of a table that the same statements write: one of them stands for all.
class FieldClasses {
 public:
  // One run of each type.
  FieldClasses(const Schema& schema, const std::vector<TypeRun>& types);

  [[nodiscard]] std::size_t class_of(TableId table, std::size_t field) const {
    return classes_[table.index][field];
  }

  [[nodiscard]] std::size_t count() const { return count_; }  // the most of any table

 private:
  std::vector<std::vector<std::size_t>> classes_;  // by table, by field
  std::size_t count_ = 0;
};

// A dependency by two statements: it may be what the slot stands for.
struct PossibleDependency {
  DependencyKind kind = DependencyKind::WriteRead;
  const Event* from = nullptr;
  const Event* to = nullptr;
  TableId table;
  std::size_t field = 0;        // one of its class
  std::size_t field_class = 0;  // FieldClasses
  Term chosen;                  // it is there
};

// The pairs of touches of two types by which one can depend on the other.
struct TouchPair {
  DependencyKind kind = DependencyKind::WriteRead;
  std::size_t from_event = 0;
  std::size_t from_touch = 0;
  std::size_t to_event = 0;
  std::size_t to_touch = 0;
  std::size_t field = 0;
  std::size_t field_class = 0;
};

// All that does not depend on a question: one run of each type, and which touches of
// two types meet.
class Application {
 public:
  // Once the budget is exhausted, fewer tables are known to be numbered.
  Application(const Program& program, const Model& model, const Budget& budget);

  [[nodiscard]] const Program& program() const { return program_; }

  [[nodiscard]] const Model& model() const { return model_; }

  [[nodiscard]] const FieldClasses& classes() const { return *classes_; }

  // Tables whose records are numbered by a counter, if that may be used.
  [[nodiscard]] const std::vector<Numbered>& numbered() const { return numbered_; }

  [[nodiscard]] const std::vector<TouchPair>& pairs(std::uint32_t from,
                                                    std::uint32_t to) const {
    return pairs_(from, to);
  }

  [[nodiscard]] bool has_kind(std::uint32_t from, std::uint32_t to,
                              DependencyKind kind) const;

 private:
  [[nodiscard]] std::vector<TouchPair> pairs_between(std::uint32_t from,
                                                     std::uint32_t to) const;

  const Program& program_;
  Model model_;
  Terms terms_;
  Schema schema_;
  std::vector<TypeRun> types_;
  std::optional<FieldClasses> classes_;
  std::vector<Numbered> numbered_;
  Matrix<std::vector<TouchPair>> pairs_;
};

class Chain {
 public:
  using Slot = std::pair<std::size_t, std::size_t>;  // from, to

  Chain(const Application& application, const Plan& plan, std::vector<std::uint32_t> types,
        std::vector<Slot> slots);

  // All that is known; each slot has one of its candidates.
  [[nodiscard]] const std::vector<Term>& formulas() const { return formulas_; }

  [[nodiscard]] const std::vector<PossibleDependency>& possible_dependencies(
      std::size_t slot) const {
    return possible_dependencies_[slot];
  }

  [[nodiscard]] const Slot& slot(std::size_t i) const { return slots_[i]; }

  [[nodiscard]] const Record& record(std::size_t slot, TableId table) const;

  [[nodiscard]] Term has_kind(std::size_t slot, DependencyKind kind);

  // It is certain that the second depends on the first, by what both write ...
  [[nodiscard]] Term depends_directly(std::size_t from, std::size_t to);
  // ... or that a path of at most two dependencies leads to it, by what it reads.
  [[nodiscard]] Term depends_nearly(std::size_t from, std::size_t to);

  [[nodiscard]] const Visibility& visibility() const { return visibility_; }

  [[nodiscard]] const TypeRun& run(std::size_t i) const { return runs_[i]; }

  [[nodiscard]] std::string field_name(const PossibleDependency& candidate) const {
    return schema_.field_name(candidate.table, candidate.field);
  }

  [[nodiscard]] Cell column(const Record& record, ColumnId column, const Viewer& viewer) {
    return schema_.column(record, column, viewer);
  }

  [[nodiscard]] Term never() const { return never_; }  // false

  [[nodiscard]] std::size_t run_count() const { return runs_.size(); }

  [[nodiscard]] Terms& terms() { return terms_; }

 private:
  void add_possible_dependencies(std::size_t slot);
  [[nodiscard]] Term is_external(const TypeRun& reader, const Event& event,
                                 const Record& record, TableId table, std::size_t field);
  [[nodiscard]] Term is_relevant(const Touch& read, const Touch& write,
                                 const Record& record);
  [[nodiscard]] Term is_ordered(DependencyKind kind, const Slot& slot);

  // What conflicts is what changes a record or locks it.
  enum class Touching : std::uint8_t { Read, Change, Conflict };

  [[nodiscard]] std::vector<Term> who_touches(std::size_t slot, Touching how,
                                              std::size_t field_class);
  void add_keys();
  [[nodiscard]] Term touches(const TypeRun& run, Touching how, const Record& record,
                             std::size_t field_class);
  void add_changed_records();
  [[nodiscard]] Term share(std::size_t from, std::size_t to, Touching how);
  void add_overwritten();
  void add_knowledge();
  void add_unique();
  void add_counters();
  void add_counter(const Numbered& numbered, std::size_t inserts, std::size_t sees);
  [[nodiscard]] Term slot_has(std::size_t slot, TableId table);

  const Application& application_;
  Terms terms_;
  Schema schema_;
  const Plan& plan_;
  std::vector<std::uint32_t> types_;
  std::vector<Slot> slots_;
  std::deque<TypeRun> runs_;
  Visibility visibility_;
  std::vector<std::vector<PossibleDependency>> possible_dependencies_;  // by slot
  std::vector<std::vector<std::pair<TableId, Record>>> records_;        // by slot
  std::vector<Record> changed_;  // records that some transaction certainly changes
  std::vector<Term> formulas_;
  Term never_;
};

}  // namespace isomer::audit
