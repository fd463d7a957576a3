// SPDX-License-Identifier: MIT
// A program made ready for questions: every transaction summarised, the initial state, and
// the keys that executions can differ on.  What an execution is, the encodings say
// (verify/exact.h, verify/paper.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "program/ir.h"
#include "verify/possible_rows.h"
#include "verify/summary.h"

namespace isomer::verify {

// A key that some transaction writes.  Different sites may turn out to have one key; then
// the first of them stands for it, and the others do not exist.
struct Site {
  TableId table;
  Key key;
  Term exists;
};

struct SymbolicProgramOptions {
  std::uint32_t rows_max = 3;
  SymbolicOptions symbolic;
  Repeat repeat = Repeat::Anew;
  bool has_open_state = false;   // any initial rows beside those of the scenario
  bool with_read_sites = false;  // keys that are only read are sites, too
  Budget budget;
};

struct SymbolicProgram {
  Terms& terms;
  const Program& program;
  SymbolicProgramOptions options;
  std::unique_ptr<TableAccesses> accesses;
  std::unique_ptr<PossibleRows> possible_rows;  // refers to the accesses
  std::vector<Summary> transactions;  // session by session; an encoding counts them from 1
  std::vector<Cell> symbols;          // by Program::symbols
  std::vector<std::vector<Cell>> arguments;  // by transaction
  std::vector<Site> sites;
  // Beside those of the rows: [assume], each in turn, then the initial invariants.
  std::vector<Term> facts;
  std::vector<Approximation> approximations;  // of transactions
  std::string unknown;                        // not empty: why nothing can be asked

  // All that is known, whatever the level.
  [[nodiscard]] std::vector<Term> all_facts() const;

  // The site of the key is this one.
  Term is_at(const Site& site, TableId table, const Key& key) const;
};

Expected<SymbolicProgram> make_symbolic_program(Terms& terms, const Program& program,
                                                const SymbolicProgramOptions& options);

// The initial state as a database, for invariants that hold of it.
class InitialDatabase : public Database {
 public:
  explicit InitialDatabase(PossibleRows& possible_rows) : possible_rows_(possible_rows) {}

  Row read(TableId table, const Key& key, Term, Span) override {
    return possible_rows_.initial(table, key);
  }

  std::span<const Slot> slots(TableId table) override {
    return possible_rows_.slots(table);
  }

 private:
  PossibleRows& possible_rows_;
};

// A final state: the last version of each site, as an encoding has it.
class FinalDatabase : public Database {
 public:
  FinalDatabase(SymbolicProgram& symbolic, std::vector<Row> last)
      : program_(symbolic), last_(std::move(last)) {}

  Row read(TableId table, const Key& key, Term when, Span at) override;

  std::span<const Slot> slots(TableId table) override {
    return program_.possible_rows->slots(table);
  }

 private:
  SymbolicProgram& program_;
  std::vector<Row> last_;  // by site
};

// Any transactions of an application at once, each in a session of its own and with any
// arguments, on any state that satisfies the invariants: what induction asks for.  A
// program for each choice of `count` types, with repetition.
std::vector<program::Program> any_transactions(const program::Program& program,
                                               std::uint32_t count);

}  // namespace isomer::verify
