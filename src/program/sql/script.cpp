// SPDX-License-Identifier: MIT
// A script is split at its semicolons, so that a mistake in one statement leaves the others
// to be understood; each then goes through PostgreSQL's grammar and to whoever reads its
// kind.  Routines come last: they may call one another in any order.
#include "program/sql/script.h"

#include <array>

#include <fmt/format.h>

#include "program/plpgsql/lower.h"
#include "program/sql/analysis.h"
#include "program/sql/call.h"

namespace isomer::program {
namespace {

struct StatementName {
  std::string_view kind;
  std::string_view words;
};

constexpr std::array names = {
    StatementName{"SelectStmt", "SELECT outside a function"},
    StatementName{"InsertStmt",
                  "INSERT outside a function (initial rows belong to a scenario)"},
    StatementName{"UpdateStmt", "UPDATE outside a function"},
    StatementName{"DeleteStmt", "DELETE outside a function"},
    StatementName{"ViewStmt", "CREATE VIEW"},
    StatementName{"CreateTableAsStmt", "CREATE TABLE AS"},
    StatementName{"CreateSeqStmt",
                  "CREATE SEQUENCE (the next number is an input of the call)"},
    StatementName{"CreateTrigStmt", "CREATE TRIGGER"},
    StatementName{"CreateSchemaStmt", "CREATE SCHEMA"},
    StatementName{"CreateDomainStmt", "CREATE DOMAIN"},
    StatementName{"CreateEnumStmt", "CREATE TYPE"},
    StatementName{"CompositeTypeStmt", "CREATE TYPE"},
    StatementName{"CreateExtensionStmt", "CREATE EXTENSION"},
    StatementName{"AlterTableStmt", "ALTER TABLE"},
    StatementName{"DropStmt", "DROP"},
    StatementName{"DoStmt", "DO"},
    StatementName{"CallStmt", "CALL"},
    StatementName{"VariableSetStmt", "SET"},
    StatementName{"GrantStmt", "GRANT or REVOKE"},
    StatementName{"TruncateStmt", "TRUNCATE"},
    StatementName{"RuleStmt", "CREATE RULE"},
    StatementName{"CopyStmt", "COPY"},
    StatementName{"TransactionStmt", "this transaction command"},
};

bool is_ignored(const SqlNode& node) {
  if (node.is("CommentStmt")) return true;
  // For EXCLUDE with `=`.
  if (node.is("CreateExtensionStmt")) return node["extname"].text() == "btree_gist";
  const std::string& kind = node["kind"].text();
  return node.is("TransactionStmt") &&
         (kind == "TRANS_STMT_BEGIN" || kind == "TRANS_STMT_COMMIT" ||
          kind == "TRANS_STMT_START");
}

void add_statement(Analysis& in, const SqlNode& node, Routines& routines) {
  Program& program = routines.program;
  if (is_ignored(node)) return;
  if (node.is("CreateStmt")) return analyze_create_table(in, node, program);
  if (node.is("IndexStmt")) return analyze_create_index(in, node, program);
  if (node.is("CreateFunctionStmt")) return add_routine(in, node, routines);
  std::string_view words = node.kind();
  for (const StatementName& name : names)
    if (name.kind == node.kind()) words = name.words;
  in.fail(in.text.whole(), fmt::format("{} is not supported", words));
}

}  // namespace

void add_sql(Program& program, Span at, Reporter& reporter) {
  Routines routines{.program = program, .reporter = reporter};
  for (const Span piece : split_statements(program.source, at, reporter)) {
    if (reporter.is_full()) return;
    if (program.source[piece.first] == '\\') {
      reporter.fail(piece, "commands of psql are not supported");
      continue;
    }
    SqlText text = sql_at(program, piece);
    const auto statements = text.parse(reporter);
    if (!statements) continue;
    Analysis in{.program = program, .reporter = reporter, .text = text};
    for (const SqlNode& statement : *statements)
      add_statement(in, statement["stmt"], routines);
  }
  for (const auto& routine : routines.all) {
    if (reporter.is_full()) return;
    lower_routine(routines, *routine);
  }
  for (const auto& routine : routines.all)
    program.types.push_back(std::move(routine->type));
}

Expected<Program> parse_sql(std::string_view file, std::string_view text) {
  Program program;
  program.name = program.file = std::string(file);
  program.source = std::string(text);
  Diagnostics errors;
  Reporter reporter(program, errors);
  add_sql(program, {.first = 0, .last = static_cast<std::uint32_t>(text.size())}, reporter);
  reporter.sort();
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return program;
}

}  // namespace isomer::program
