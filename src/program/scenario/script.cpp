// SPDX-License-Identifier: MIT
#include "program/scenario/sql.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "program/plpgsql/lower.h"

namespace isomer::program {
namespace {

struct Command {
  std::string_view kind;
  Statement::Kind statement;
};

constexpr std::array savepoint_commands = {
    Command{"TRANS_STMT_SAVEPOINT", Statement::Kind::Savepoint},
    Command{"TRANS_STMT_ROLLBACK_TO", Statement::Kind::RollbackTo},
    Command{"TRANS_STMT_RELEASE", Statement::Kind::Release},
};

// The transaction that BEGIN has opened.
struct Opened {
  TransactionType type;
  Span begin;
};

class ScriptReader {
 public:
  ScriptReader(const Program& program, std::string_view session, Reporter& reporter)
      : program_(program), session_(session), reporter_(reporter) {}

  std::vector<TransactionType> read(Span at) {
    for (const Span piece : split_statements(program_.source, at, reporter_)) {
      SqlText text = sql_at(program_, piece);
      const auto statements = text.parse(reporter_);
      if (!statements || statements->empty()) continue;
      Analysis in{.program = program_, .reporter = reporter_, .text = text};
      read(in, statements->front()["stmt"]);
    }
    if (open_)
      reporter_.fail(open_->begin, "this transaction ends in no COMMIT and no ROLLBACK");
    return std::move(out_);
  }

 private:
  void read(Analysis& in, const SqlNode& node) {
    if (node.is("TransactionStmt")) return read_command(in, node);
    if (node.is("VariableSetStmt")) return read_set(in, node);
    std::optional<Statement> statement = read_statement(in, node);
    if (!statement) return;
    statement->at = in.text.whole();
    if (open_) return open_->type.body.push_back(std::move(*statement));
    TransactionType alone = fresh();
    alone.body.push_back(std::move(*statement));
    add(std::move(alone), in.text.whole());
  }

  static TransactionType fresh() {
    TransactionType out;
    out.is_script = true;
    return out;
  }

  void add(TransactionType type, Span at) {
    type.name = fmt::format("{} script {}", session_, out_.size() + 1);
    type.at = at;
    out_.push_back(std::move(type));
  }

  // --- BEGIN, COMMIT and what stands between ---

  void read_command(Analysis& in, const SqlNode& node) {
    const std::string& kind = node["kind"].text();
    const Span at = in.text.whole();
    if (kind == "TRANS_STMT_BEGIN" || kind == "TRANS_STMT_START")
      return begin(in, node, at);
    if (node["chain"].truth()) return in.fail(at, "AND CHAIN is not supported");
    if (kind.ends_with("PREPARED") || kind == "TRANS_STMT_PREPARE")
      return in.fail(at, "PREPARE TRANSACTION is not supported");
    if (!open_)
      return in.fail(at, fmt::format("{} needs a transaction: there is no BEGIN before it",
                                     words_of(kind)));
    for (const Command& command : savepoint_commands)
      if (command.kind == kind) {
        Statement out;
        out.kind = command.statement;
        out.at = at;
        out.label = node["savepoint_name"].text();
        return open_->type.body.push_back(std::move(out));
      }
    end(at, kind == "TRANS_STMT_ROLLBACK");
  }

  static std::string_view words_of(std::string_view kind) {
    if (kind == "TRANS_STMT_SAVEPOINT") return "SAVEPOINT";
    if (kind == "TRANS_STMT_RELEASE") return "RELEASE";
    return kind == "TRANS_STMT_COMMIT" ? "COMMIT" : "ROLLBACK";
  }

  void begin(Analysis& in, const SqlNode& node, Span at) {
    if (open_) {
      in.fail(at, "BEGIN inside a transaction; the one before needs its COMMIT first");
      return reporter_.note(open_->begin.first, "opened here");
    }
    open_ = Opened{.type = fresh(), .begin = at};
    read_modes(in, node["options"]);
  }

  void end(Span at, bool is_rollback) {
    if (is_rollback) {
      Statement abort;
      abort.kind = Statement::Kind::Abort;
      abort.at = at;
      open_->type.body.push_back(std::move(abort));
    }
    add(std::move(open_->type), join(open_->begin, at));
    open_.reset();
  }

  void read_set(Analysis& in, const SqlNode& node) {
    const Span at = in.text.whole();
    if (node["name"].text() != "TRANSACTION")
      return in.fail(at, "SET is not supported; only SET TRANSACTION is");
    if (!open_) return in.fail(at, "SET TRANSACTION needs a BEGIN before it");
    if (!open_->type.body.empty())
      return in.fail(at,
                     "SET TRANSACTION must come before the first statement of its "
                     "transaction");
    read_modes(in, node["args"]);
  }

  // ISOLATION LEVEL .., READ ONLY, DEFERRABLE.
  void read_modes(Analysis& in, const SqlNode& modes) {
    TransactionType& type = open_->type;
    for (const SqlNode& mode : modes.items()) {
      const std::string& name = mode["defname"].text();
      const bool is_on = mode["arg"]["ival"]["ival"].truth();
      if (name == "transaction_isolation") {
        type.level = mode["arg"]["sval"].name();
        std::ranges::transform(type.level, type.level.begin(), [](unsigned char c) {
          return static_cast<char>(std::toupper(c));
        });
      } else if (name == "transaction_read_only") {
        type.is_read_only = is_on;
      } else if (name == "transaction_deferrable") {
        type.is_deferrable = is_on;
      } else {
        in.fail(mode, fmt::format("{} is not supported", name));
      }
    }
  }

  // --- statements ---

  std::optional<Statement> read_statement(Analysis& in, const SqlNode& node) {
    const std::size_t errors_before = reporter_.count();
    std::optional<Statement> out = analyzed(in, node);
    if (reporter_.count() != errors_before) return std::nullopt;
    return out;
  }

  std::optional<Statement> analyzed(Analysis& in, const SqlNode& node) {
    if (node.is("SelectStmt")) return analyzed_query(in, node);
    if (is_change(node)) return analyzed_change(analyze_change(in, node));
    if (node.is("LockStmt")) {
      if (!open_) in.fail(in.text.whole(), "LOCK TABLE needs a BEGIN before it");
      return analyze_lock_table(in, node);
    }
    if (node.is("ConstraintsSetStmt")) {
      if (!open_) in.fail(in.text.whole(), "SET CONSTRAINTS needs a BEGIN before it");
      return analyze_set_constraints(in, node);
    }
    in.fail(
        in.text.whole(),
        node.is("CallStmt")
            ? "CALL in a script is not supported; such a session has calls = [..]"
            : "only SELECT, INSERT, UPDATE, DELETE, MERGE, LOCK TABLE, SET CONSTRAINTS, "
              "SAVEPOINT and the ends of transactions can stand in a script");
    return std::nullopt;
  }

  static Statement analyzed_query(Analysis& in, const SqlNode& node) {
    if (auto lock = analyze_advisory_select(in, node)) return std::move(lock->statement);
    Statement out;
    out.kind = Statement::Kind::Select;
    out.query = analyze_select(in, node, nullptr);
    return out;
  }

  // RETURNING gives its rows to the client.
  static Statement analyzed_change(AnalyzedChange change) {
    give_returning(change, {});
    return std::move(change.statement);
  }

  const Program& program_;
  std::string_view session_;
  Reporter& reporter_;
  std::optional<Opened> open_;
  std::vector<TransactionType> out_;
};

}  // namespace

std::vector<TransactionType> read_script(const Program& program, Span at,
                                         std::string_view session, Reporter& reporter) {
  return ScriptReader(program, session, reporter).read(at);
}

std::string script_text(const Program& program, const std::vector<Call>& calls) {
  std::string out;
  for (const Call& call : calls) {
    const Span at = program.types[call.type].at;
    out += program.source.substr(at.first, at.last - at.first) + ";\n";
  }
  return out;
}

}  // namespace isomer::program
