// SPDX-License-Identifier: MIT
// The vocabulary of the encoding: functions from the primary key of a record to what is in
// it.
//
// A record is its primary key.  A column that no transaction ever changes is a function of
// the record alone (the paper's field projection for PK and RO, "Automated Detection of
// Serializability Violations under Weak Consistency", section 4.1 and appendix A); any
// other column, and whether the record is alive, is a function of the record and of the
// transaction that looks, and another one after each change that the transaction itself
// makes to the table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/statements/changes.h"
#include "verify/symbolic/cell.h"

namespace isomer::audit {

using logic::Term;
using logic::TermFunction;
using logic::Terms;
using logic::TermSort;
using verify::Cell;

struct Record {
  TableId table;
  std::vector<Term> key;  // the data of its primary key, none of it null
};

// Who looks at a record: names the function that tells what is seen.
struct Viewer {
  std::string transaction;
  // By table: changes whenever the transaction may have changed the table itself.
  std::vector<std::uint32_t> epochs;
};

class Schema {
 public:
  Schema(Terms& terms, const Program& program, const Model& model);

  // Part of the primary key, or never changed once its record exists.
  [[nodiscard]] bool is_fixed(TableId table, ColumnId column) const;
  // No transaction makes its records come or go.
  [[nodiscard]] bool is_existence_fixed(TableId table) const;
  [[nodiscard]] bool is_key(TableId table, ColumnId column) const;

  Cell column(const Record& record, ColumnId column, const Viewer& viewer);
  Term is_alive(const Record& record, const Viewer& viewer);
  Term same(const Record& a, const Record& b);

  // A record whose key is open.
  Record open_record(TableId table, const std::string& name);
  // One whose key is an open function of the other record.
  Record partner(const Record& of, TableId table, const std::string& name);

  // Dependencies speak of fields: the columns, and as the last one existence; or of whole
  // records, which then have one field.
  [[nodiscard]] std::size_t field_count(TableId table) const;
  [[nodiscard]] std::vector<bool> no_fields(TableId table) const;
  [[nodiscard]] std::vector<bool> all_fields(TableId table) const;
  void add_field(std::vector<bool>& fields, TableId table, ColumnId column) const;
  void add_existence(std::vector<bool>& fields) const;
  [[nodiscard]] std::string field_name(TableId table, std::size_t field) const;

  // The value of an uninterpreted function, the same for equal arguments.
  Cell any_function(const std::string& name, const std::vector<Cell>& arguments,
                    const program::Type& type);

  [[nodiscard]] const Program& program() const { return program_; }

  [[nodiscard]] const Model& model() const { return model_; }

  [[nodiscard]] Terms& terms() const { return terms_; }

 private:
  Term apply(const std::string& name, std::span<const Term> arguments, TermSort result);

  Terms& terms_;
  const Program& program_;
  const Model& model_;
  Changes changes_;
  std::map<std::string, TermFunction> functions_;
};

}  // namespace isomer::audit
