// SPDX-License-Identifier: MIT
#include "support/positions/random_application.h"

#include <utility>

#include "base/random.h"

namespace isomer::positions {

namespace {

using database::IsolationLevel;

Expression constant(Number number) {
  return {.kind = Expression::Kind::Constant, .constant = number};
}

Expression column(Column which) {
  return {.kind = Expression::Kind::Column, .column = which};
}

Expression plus(Expression left, Expression right) {
  return {.kind = Expression::Kind::Plus, .parts = {std::move(left), std::move(right)}};
}

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomOptions& options)
      : random_(seed), options_(options) {}

  Application application() {
    out_.has_foreign_key = random_.chance(0.35) && options_.has_foreign_keys;
    out_.has_unique = options_.changes_keys && options_.has_unique && random_.chance(0.5);
    is_crowded_ = random_.chance(options_.reads_much ? 0.3 : 0.7);
    rows();
    for (std::size_t i = 0; i < options_.sessions; ++i) {
      auto& session = out_.sessions.emplace_back();
      session.push_back(transaction());
      if (random_.chance(options_.sessions == 2 ? 0.15 : 0.07))
        session.push_back(transaction());
    }
    return std::move(out_);
  }

 private:
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + random_.below(choices.size()));
  }

  void rows() {
    for (const int key : {1, 2, 3})
      if (random_.chance(key == 3 ? 0.3 : 0.85))
        out_.rows[Table::T].push_back(
            {key, one_of<Number>({0, 1, 2, {}}), unique_number(key)});
    if (random_.chance(0.8)) out_.rows[Table::G].push_back({1, one_of({0, 1}), 0});
    const auto& parents = out_.rows[Table::T];
    for (const int key : {1, 2}) {
      if (!out_.has_foreign_key || parents.empty() || random_.chance(0.5)) continue;
      const Number parent =
          random_.chance(0.1) ? Number() : parents[random_.below(parents.size())][0];
      out_.rows[Table::C].push_back({key, one_of({0, 1}), parent});
    }
  }

  Number unique_number(int key) {
    if (out_.has_unique) return random_.chance(0.2) ? Number() : Number(key);
    return 0;
  }

  Table table() {
    if (is_crowded_ && random_.chance(0.7)) return Table::T;
    return out_.has_foreign_key ? one_of({Table::T, Table::T, Table::C})
                                : one_of({Table::T, Table::T, Table::G});
  }

  int key() { return is_crowded_ ? one_of({1, 1, 1, 2, 2, 3}) : one_of({1, 2, 3}); }

  // --- conditions ---

  Comparison has_key() {
    return {.kind = Comparison::Kind::Equal,
            .left = column(Column::Id),
            .right = constant(key())};
  }

  Condition condition(bool has_subqueries) {
    Condition out;
    if (random_.chance(is_crowded_ ? 0.75 : 0.55)) out.push_back(has_key());
    if (random_.chance(0.3)) out.push_back(comparison(has_subqueries));
    return out;
  }

  Comparison comparison(bool has_subqueries) {
    if (random_.chance(0.12))
      return {.kind = Comparison::Kind::IsNull, .left = column(Column::A)};
    const auto kind = one_of({Comparison::Kind::Equal, Comparison::Kind::Different,
                              Comparison::Kind::Less, Comparison::Kind::Greater});
    if (has_subqueries && random_.chance(0.35))
      return {.kind = kind, .left = aggregate(), .right = constant(one_of({1, 2, 10, 11}))};
    return {.kind = kind,
            .left = column(random_.chance(0.8) ? Column::A : Column::B),
            .right = random_.chance(0.2) ? Expression{.kind = Expression::Kind::Variable}
                                         : constant(one_of({0, 1, 2}))};
  }

  Expression aggregate() {
    Query query{.table = table(), .where = condition(false), .is_sum = random_.chance(0.6)};
    return {.kind = Expression::Kind::Aggregate,
            .query = std::make_shared<const Query>(std::move(query))};
  }

  // --- statements ---

  Transaction transaction() {
    Transaction out;
    out.level = options_.levels[random_.below(options_.levels.size())];
    bool knows = false;  // something in x
    for (std::uint64_t i = 1 + random_.below(options_.statements_max); i > 0; --i) {
      Statement next = statement();
      if (knows && random_.chance(0.2)) next.minimum = one_of({0, 1, 10});
      knows |= next.kind == Statement::Kind::Select || next.kind == Statement::Kind::Lock;
      out.statements.push_back(std::move(next));
    }
    if (random_.chance(0.06)) out.statements.push_back({.kind = Statement::Kind::GiveUp});
    return out;
  }

  Statement statement() {
    const std::uint64_t draw = random_.below(100);
    if (draw < 18 || (options_.reads_much && draw >= 62 && draw < 84))
      return {.kind = Statement::Kind::Select,
              .table = table(),
              .where = condition(false),
              .is_sum = random_.chance(0.7)};
    if (draw < 52) return update();
    if (draw < 72) return lock();
    if (draw < 84)
      return {.kind = Statement::Kind::Delete, .table = table(), .where = condition(true)};
    if (draw < 98) return insert();
    return {.kind = Statement::Kind::Advisory,
            .number = one_of({1, 2}),
            .is_shared = random_.chance(0.4)};
  }

  Statement update() {
    Statement out{
        .kind = Statement::Kind::Update, .table = table(), .where = condition(true)};
    const std::uint64_t draw = random_.below(10);
    if (draw < 4)
      out.value = plus(column(Column::A), constant(1));
    else if (draw < 6)
      out.value = constant(one_of<Number>({0, 3, 5, {}}));
    else if (draw < 7)
      out.value = plus({.kind = Expression::Kind::Variable}, constant(1));
    else
      out.value = plus(column(Column::A), aggregate());
    if (out.table == Table::C && random_.chance(0.5)) {
      out.column = Column::B;
      out.value = constant(random_.chance(0.15) ? Number() : Number(key()));
    } else if (options_.changes_keys && random_.chance(0.4)) {
      change_key(out);
    }
    return out;
  }

  void change_key(Statement& out) {
    out.column = out.table == Table::T && out_.has_unique && random_.chance(0.5)
                     ? Column::B
                     : Column::Id;
    if (out.column == Column::B)
      out.value = constant(random_.chance(0.2) ? Number() : Number(key()));
    else
      out.value =
          random_.chance(0.5) ? plus(column(Column::Id), constant(1)) : constant(key());
  }

  Statement lock() {
    Statement out{.kind = Statement::Kind::Lock,
                  .table = table(),
                  .where = condition(true),
                  .lock = one_of({RowLock::Update, RowLock::Update, RowLock::NoKeyUpdate,
                                  RowLock::Share, RowLock::Share, RowLock::KeyShare}),
                  .only_first = random_.chance(0.25)};
    if (random_.chance(0.15)) out.patience = Patience::NoWait;
    if (random_.chance(0.15) && options_.skips_locked) out.patience = Patience::SkipLocked;
    return out;
  }

  Statement insert() {
    Statement out{.kind = Statement::Kind::Insert, .table = table()};
    out.values[0] = constant(key());
    out.values[1] = random_.chance(0.25) ? aggregate() : constant(one_of({0, 1, 2}));
    const bool is_linked = out.table == Table::C || out_.has_unique;
    out.values[2] =
        constant(random_.chance(0.1) ? Number() : Number(is_linked ? key() : 0));
    return out;
  }

  Random random_;
  const RandomOptions& options_;
  Application out_;
  bool is_crowded_ = false;  // most statements are about the same rows
};

}  // namespace

Application random_application(std::uint64_t seed, const RandomOptions& options) {
  return Generator(seed, options).application();
}

Application random_application(std::uint64_t seed) {
  RandomOptions options;
  options.sessions = seed % 3 == 0 ? 3 : 2;
  options.statements_max = options.sessions == 3 ? 2 : 3;
  if (seed % 5 != 0) options.levels.push_back(IsolationLevel::ReadCommitted);
  if (seed % 5 < 2) options.levels.push_back(IsolationLevel::RepeatableRead);
  options.changes_keys = seed % 4 == 1;
  return random_application(seed, options);
}

}  // namespace isomer::positions
