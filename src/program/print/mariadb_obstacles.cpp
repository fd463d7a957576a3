// SPDX-License-Identifier: MIT
// What MariaDB 10.11 has no words for, or other meanings.
#include <fmt/format.h>

#include "program/print/dialect.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

class Search {
 public:
  explicit Search(const Program& program) : out_(program) {}

  void look_at(const Statement& s) {
    using Kind = Statement::Kind;
    if (s.kind == Kind::LockTable)
      out_.add(
          s.at,
          "expected no LOCK TABLE for MariaDB, where LOCK TABLES ends the transaction");
    if (s.kind == Kind::AdvisoryLock)
      out_.add(s.at,
               "expected no advisory locks for MariaDB, which has none that end with "
               "the transaction");
  }

  void look_at(const Select& query) {
    for (const Source& source : query.from)
      if (source.lock == Lock::KeyShare || source.lock == Lock::NoKeyUpdate)
        out_.add(
            source.lock_at,
            fmt::format("expected FOR UPDATE or FOR SHARE for MariaDB, which has no {}",
                        name(source.lock)));
  }

  void look_at(const Expression& e) {
    if (e.type.kind == TypeKind::Array)
      out_.add(e.at, "expected no arrays for MariaDB, which has none");
  }

  Diagnostics take() { return out_.take(); }

 private:
  Obstacles out_;
};

}  // namespace

Diagnostics mariadb_obstacles(const Program& program) {
  Search search(program);
  visit_server_parts(
      program, {.statement = [&](const Statement& s) { search.look_at(s); },
                .query = [&](const Select& query, QueryPlace) { search.look_at(query); },
                .expression = [&](const Expression& e) { search.look_at(e); }});
  return search.take();
}

}  // namespace isomer::program
