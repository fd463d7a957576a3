// SPDX-License-Identifier: MIT
// The statements make up one transaction, which the machine runs on empty tables: what it
// writes are the rows, and constraints, defaults and conversions are those of any other
// transaction.  generate_series in INSERT .. SELECT becomes loops around an INSERT.
#include "base/assert.h"
#include "program/scenario/reader.h"

#include "program/machine/keys.h"
#include "program/machine/machine.h"
#include "program/machine/references.h"
#include "program/plpgsql/lower.h"

namespace isomer::program {
namespace {

constexpr std::size_t steps_max = 10'000'000;

bool is_series(const SqlNode& call) {
  const auto& names = call["funcname"].items();
  const std::size_t count = call["args"].items().size();
  return !names.empty() && names.back().name() == "generate_series" && count >= 2 &&
         count <= 3;
}

class InitialStatements {
 public:
  InitialStatements(const Program& program, Reporter& reporter)
      : program_(program), reporter_(reporter) {
    names_.open_block({});
    names_.columns_hide_variables = true;
  }

  void add(Span at) {
    SqlText text = sql_at(program_, at);
    const auto statements = text.parse(reporter_);
    if (!statements) return;
    const SqlNode& node = statements->front()["stmt"];
    if (!node.is("InsertStmt"))
      return reporter_.fail(at, "the initial rows are given by INSERT statements only");
    Analysis in{.program = program_,
                .reporter = reporter_,
                .text = text,
                .variables = &names_,
                .symbols = nullptr,
                .series_are_variables = true};
    names_.open_block({});
    std::vector<Statement> loops;
    for (const SqlNode& item : node["selectStmt"]["fromClause"].items())
      if (item.is("RangeFunction")) add_series(in, item, loops);
    AnalyzedChange change = analyze_insert(in, node);
    if (!change.returning.columns.empty())
      in.fail(text.whole(), "RETURNING needs INTO here");
    for (const CommonTable& common : with_of(change.statement))
      if (common.rows && common.rows->change)
        in.fail(common.rows->at, "the initial rows are given by INSERT statements only");
    names_.close_block();
    Statement statement = std::move(change.statement);
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      loop->body.push_back(std::move(statement));
      statement = std::move(*loop);
    }
    body_.push_back(std::move(statement));
  }

  TransactionType finish() {
    TransactionType out;
    out.name = "initial rows";
    out.variables = std::move(names_.all());
    out.body = std::move(body_);
    return out;
  }

 private:
  // generate_series(first, last [, step]) AS i: a loop, with i as its variable.
  void add_series(Analysis& in, const SqlNode& item, std::vector<Statement>& loops) {
    const SqlNode& call = item["functions"].item(0).item(0);
    const auto& arguments = call["args"].items();
    const FromScope nothing{.outer = nullptr, .sources = {}, .no_aggregates_in = "FROM"};
    const auto bound = [&](std::size_t i) {
      return coerced(in, analyze_expression(in, nothing, arguments[i]),
                     type(TypeKind::Int4), Willing::Implicit);
    };
    Statement loop;
    loop.kind = Statement::Kind::ForRange;
    loop.at = in.text.at(call);
    const SqlNode& alias = item["alias"];
    Variable variable;
    variable.name = alias.has("colnames") ? alias["colnames"].item(0).name()
                    : alias.exists()      ? alias["aliasname"].text()
                                          : std::string("generate_series");
    variable.type = type(TypeKind::Int4);
    variable.at = loop.at;
    loop.variable = names_.add(std::move(variable));
    if (!is_series(call))
      return in.fail(call, "only generate_series(first, last) can stand in FROM here");
    loop.value = bound(0);
    loop.limit = bound(1);
    if (arguments.size() == 3) loop.step = bound(2);
    loops.push_back(std::move(loop));
  }

  const Program& program_;
  Reporter& reporter_;
  VariableNames names_;
  Block body_;
};

// Runs the last transaction type on empty tables.
class InitialRun {
 public:
  InitialRun(const Program& program, Reporter& reporter)
      : program_(program), reporter_(reporter), machine_(program, call(program), {}) {}

  std::vector<std::pair<TableId, std::vector<Value>>> rows() {
    for (std::size_t step = 0; !is_done_ && step < steps_max; ++step)
      std::visit([&](const auto& what) { take(what); }, machine_.next());
    if (!is_done_)
      reporter_.fail(program_.types.back().at, "there are too many initial rows");
    std::vector<std::pair<TableId, std::vector<Value>>> out;
    for (const KeyName& key : order_)
      if (const auto items = database_[key].items(); !items.empty())
        out.emplace_back(table_of(key), std::vector<Value>(items.begin(), items.end()));
    return out;
  }

 private:
  static Call call(const Program& program) {
    Call out;
    out.type = static_cast<std::uint32_t>(program.types.size() - 1);
    return out;
  }

  void take(const WantsRead&) { machine_.answer(Value()); }

  void take(const AsksServer&) { ISOMER_UNREACHABLE(); }

  void take(const WantsUniverse& wanted) {
    machine_.answer(universe_of(wanted.prefix, database_));
  }

  void take(const WritesKey& write) {
    if (database_.insert_or_assign(write.key, write.value).second)
      order_.push_back(write.key);
  }

  void take(const Commits&) { is_done_ = true; }

  void take(const Aborts& abort) {
    reporter_.fail(abort.at, abort.reason);
    is_done_ = true;
  }

  void take(const FailsAssert&) { is_done_ = true; }

  [[nodiscard]] TableId table_of(const KeyName& key) const {
    for (std::uint32_t i = 0; i < program_.tables.size(); ++i)
      if (parse_row_key(program_.tables[i], key)) return {i};
    return TableId::none();
  }

  const Program& program_;
  Reporter& reporter_;
  Machine machine_;
  std::map<KeyName, Value> database_;
  std::vector<KeyName> order_;  // of first insertion
  bool is_done_ = false;
};

}  // namespace

void add_initial_rows(Program& program, Span at, Reporter& reporter) {
  const std::size_t errors_before = reporter.count();
  InitialStatements statements(program, reporter);
  for (const Span piece : split_statements(program.source, at, reporter))
    statements.add(piece);
  if (reporter.count() != errors_before) return;
  program.types.push_back(statements.finish());
  program.types.back().at = at;
  program.initial_rows = InitialRun(program, reporter).rows();
  program.types.pop_back();
}

}  // namespace isomer::program
