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
#include "verify/summary.h"
#include "verify/universe.h"

namespace isomer::verify {

// A key that some transaction writes.  Different sites may turn out to have one key; then
// the first of them stands for it, and the others do not exist.
struct Site {
  TableId table;
  Key key;
  Term exists;
};

struct InstanceOptions {
  std::uint32_t rows_max = 3;
  SymbolicOptions symbolic;
  Repeat repeat = Repeat::Anew;
  bool has_open_state = false;   // any initial rows beside those of the scenario
  bool with_read_sites = false;  // keys that are only read are sites, too
  Budget budget;
};

struct Instance {
  Terms& terms;
  const Program& program;
  InstanceOptions options;
  std::unique_ptr<TableAccesses> accesses;
  std::unique_ptr<Universe> universe;  // refers to the accesses
  std::vector<Summary> transactions;   // session by session; an encoding counts them from 1
  std::vector<Cell> symbols;           // by Program::symbols
  std::vector<std::vector<Cell>> arguments;  // by transaction
  std::vector<Site> sites;
  std::vector<Term> facts;                    // beside the universe's
  std::vector<Approximation> approximations;  // of transactions
  std::string unknown;                        // not empty: why there is no instance

  // All that is known, whatever the level.
  [[nodiscard]] std::vector<Term> all_facts() const;

  // The site of the key is this one.
  Term is_at(const Site& site, TableId table, const Key& key) const;
};

Expected<Instance> make_instance(Terms& terms, const Program& program,
                                 const InstanceOptions& options);

// The initial state as a database, for invariants that hold of it.
class InitialDatabase : public Database {
 public:
  explicit InitialDatabase(Universe& universe) : universe_(universe) {}

  Row read(TableId table, const Key& key, Term, Span) override {
    return universe_.initial(table, key);
  }

  std::span<const Slot> slots(TableId table) override { return universe_.slots(table); }

 private:
  Universe& universe_;
};

// A final state: the last version of each site, as an encoding has it.
class FinalDatabase : public Database {
 public:
  FinalDatabase(Instance& instance, std::vector<Row> last)
      : instance_(instance), last_(std::move(last)) {}

  Row read(TableId table, const Key& key, Term when, Span at) override;

  std::span<const Slot> slots(TableId table) override {
    return instance_.universe->slots(table);
  }

 private:
  Instance& instance_;
  std::vector<Row> last_;  // by site
};

}  // namespace isomer::verify
