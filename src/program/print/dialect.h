// SPDX-License-Identifier: MIT
// What a program says that a database other than PostgreSQL cannot say, or would take for
// something else than our interpreter does.
#pragma once

#include <cstdint>
#include <functional>

#include "program/ir.h"
#include "program/print/print.h"

namespace isomer::program {

// Complains of each such place; none: every statement of the program can be printed in
// that dialect.
Diagnostics obstacles(const Program& program, Dialect dialect);

// --- for those who look for them, a file a dialect ---

enum class QueryPlace : std::uint8_t { Statement, InsertSelect, Scalar, Exists, In };

// Called with all parts of a program that go to a server, outer ones first.  What the
// machine computes by itself is none of them.
struct PartVisitor {
  std::function<void(const Table&)> table{};
  // SELECT, INSERT, UPDATE, DELETE, locks and savepoints.
  std::function<void(const Statement&)> statement{};
  std::function<void(const Select&, QueryPlace)> query{};
  std::function<void(const Expression&)> expression{};
};

void visit_server_parts(const Program& program, const PartVisitor& visitor);

// Once a place, up to twenty.
// Is it a range, or computed of one?
bool has_range(const Expression& e);

class Obstacles {
 public:
  explicit Obstacles(const Program& program) : program_(program) {}

  void add(Span at, std::string message);

  Diagnostics take() { return std::move(out_); }

 private:
  const Program& program_;
  Diagnostics out_;
  std::vector<std::uint32_t> places_;
};

Diagnostics mariadb_obstacles(const Program& program);
Diagnostics sqlite_obstacles(const Program& program);

}  // namespace isomer::program
