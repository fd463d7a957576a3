// SPDX-License-Identifier: MIT
// One execution of a FROM with its WHERE by locking reads: which table comes first, by
// which index each is read, what becomes of IN and EXISTS.  Where MariaDB's optimizer is
// free, the statement is asked to choose.  Private to the model.
#pragma once

#include "database/innodb/statement.h"

namespace isomer::database::innodb {

using SourceSet = std::uint64_t;

inline SourceSet only(std::size_t source) {
  return SourceSet{1} << source;
}

// The sources of the expression's own FROM that it mentions.
SourceSet sources_in(const program::Expression& expression);

// Does it ask a subquery?
bool has_query(const program::Expression& expression);

// What is chosen, in place of a source.
constexpr std::uint32_t whole_order = ~0U;
constexpr std::uint32_t truth_way = ~1U;
constexpr std::uint32_t early_value = ~2U;
constexpr std::uint32_t buffers = ~3U;

// An IN or EXISTS that must be true.
struct Statement::TruthQuery {
  enum class Way : std::uint8_t {
    Each,    // for each row around it, up to its first row
    Whole,   // all its rows, when the first row around it asks
    First,   // all its rows, before any row around it
    LookUp,  // and by these the rows around it are looked up
  };

  const program::Select* query = nullptr;
  bool is_in = false;
  program::ExpressionPtr where{};      // with the equation of IN
  program::ExpressionPtr own_where{};  // what does not speak of the rows around it
  std::vector<const program::Expression*> links{};  // what does
  program::ExpressionPtr column{};  // of the FROM around it, that has to be equal to
  const program::Expression* equal = nullptr;
  // MariaDB makes a join of it (a semi-join).
  bool is_joined = false;
  Way way = Way::Each;
  bool is_read = false;
  std::vector<Tuple> tuples{};
};

struct Statement::JoinSearch {
  // A conjunct, and the tables of which it speaks.
  struct Conjunct {
    const program::Expression* condition = nullptr;
    SourceSet sources = 0;
    TruthQuery* truth = nullptr;
  };

  Statement& statement;
  const Join& join;
  const std::function<bool(const Tuple&)>& visit;
  std::vector<Conjunct> where;
  std::vector<std::uint32_t> order{};
  std::vector<bool> is_constant{};  // by source: one row, looked up by constants
  std::vector<bool> is_found{};     // by source: looked up by what a subquery has
  Tuple tuple;
  bool goes_on = true;
  bool is_buffered = false;  // all the rows of a table, before the next one is read
  std::vector<std::vector<Tuple>> waiting{};  // by depth

  JoinSearch(Statement& of, const Join& what,
             const std::function<bool(const Tuple&)>& then);

  void run();

  static std::vector<Conjunct> conjuncts(const program::Expression* condition);

  [[nodiscard]] program::Context& context() const { return statement.execution_.context; }

  [[nodiscard]] program::Rows rows() const {
    return {.current = tuple, .around = join.around, .group = {}};
  }

  [[nodiscard]] bool holds(const program::Expression& condition) const;
  [[nodiscard]] bool holds(const Conjunct& conjunct);

  // --- the order of tables (join.cpp) ---

  template <class Use>
  auto with_asked(std::uint32_t source, SourceSet known, Use use) const;
  [[nodiscard]] std::vector<Access> candidates(std::uint32_t source, SourceSet known) const;
  std::vector<Value> constants(const std::vector<const program::Expression*>& expressions);
  bool is_impossible(const ColumnConditions& conditions, bool is_indexed);
  bool is_impossible(std::uint32_t source, SourceSet known);
  void find_constants();
  void find_order();

  // --- the loops (join.cpp) ---

  [[nodiscard]] bool is_constant_condition(const Conjunct& conjunct) const;
  [[nodiscard]] bool is_due(const Conjunct& conjunct, SourceSet known,
                            std::uint32_t source) const;
  [[nodiscard]] bool satisfies(SourceSet known, std::uint32_t source);
  [[nodiscard]] bool satisfies_joined(SourceSet known, std::uint32_t source);
  bool is_read_once(std::size_t depth, SourceSet known);
  void reach(std::size_t depth, SourceSet known);
  void visit_source(std::size_t depth, SourceSet known);
  void visit_waiting(std::size_t depth);

  // --- scans (join_scan.cpp) ---

  [[nodiscard]] bool gives_order(const Access& access) const;
  Access chosen(std::uint32_t source, SourceSet known);
  Access dirty_access(std::uint32_t source, SourceSet known);
  std::optional<Value> value_of(const program::Expression& expression,
                                const program::Type& type);
  [[nodiscard]] const program::Type& type_of(TableId table, IndexNumber index,
                                             std::size_t place) const;
  std::optional<std::vector<Interval>> intervals(TableId table, const Access& access);
  std::vector<Interval> points(TableId table, const Access& access, const Interval& before);
  [[nodiscard]] bool is_pushed(const program::Expression& condition, std::uint32_t source,
                               const Access& access) const;
  std::function<bool(const Key&)> pushed(std::uint32_t source, const Access& access);
  std::optional<Scan> scan_of(std::uint32_t source, SourceSet known);

  // --- subqueries (truth_query.cpp) ---

  // False if there is no result, or the statement stopped.
  bool find_truths();
  bool find_truth(Conjunct& conjunct);
  [[nodiscard]] std::vector<TruthQuery::Way> ways_of(const TruthQuery& truth) const;
  [[nodiscard]] bool can_look_up(const TruthQuery& truth) const;
  void look_up(const TruthQuery& truth);
  bool read_early();
};

}  // namespace isomer::database::innodb
