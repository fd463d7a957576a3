// SPDX-License-Identifier: MIT
// Which tables columns belong to, while the representation is printed.
#pragma once

#include <string>
#include <vector>

#include "program/print/print.h"

namespace isomer::program {

struct PrintScope {
  const PrintNames& names;
  const std::vector<Source>* sources = nullptr;
  const PrintScope* outer = nullptr;

  // For a subquery; its sources are set when it is printed.
  [[nodiscard]] PrintScope within() const {
    return {.names = names, .sources = nullptr, .outer = this};
  }
};

// A name as its reader needs it: shown_name or quoted_name.
std::string name_text(const PrintNames& names, std::string_view name);
// FOREIGN KEY (a) REFERENCES t (b) ..
std::string foreign_key_text(const PrintNames& names, TableId id, const ForeignKey& key);
// UNIQUE (a) DEFERRABLE; UNIQUE INDEX name ON t ((lower(s))) WHERE ..
std::string index_constraint_text(const PrintNames& names, TableId id,
                                  const IndexConstraint& constraint);
// " DEFERRABLE INITIALLY DEFERRED"; empty if it is not.
std::string deferral_text(Deferral deferral);
// " ON DELETE CASCADE"; empty for NO ACTION.
std::string action_text(std::string_view event, ReferenceAction action);
// A constant of that type for a server: 5::bigint, NULL::date.
std::string constant_text(const Value& value, const Type& type,
                          Dialect dialect = Dialect::PostgreSql);
std::string to_text(const PrintScope& scope, const Expression& expression);
std::string to_text(const PrintScope& scope, const Select& select);
std::string list_text(const PrintScope& scope, const std::vector<ExpressionPtr>& items);
// An argument, in parentheses.
std::string argument_text(const PrintScope& scope, const Expression& e, std::size_t i);
// greatest and least, which pass over nulls, by a function that does not.
std::string extreme_text(const PrintScope& scope, const Expression& e,
                         std::string_view function);
// t, u AS x LEFT JOIN ..
std::string source_names(const PrintScope& scope, const std::vector<Source>& from);
// WITH x AS (..), and a blank; nothing if there is none.
std::string with_text(const PrintScope& scope, const std::vector<CommonTable>& with);
// INSERT, UPDATE, DELETE or MERGE.
std::string change_text(const PrintNames& names, const Statement& statement);
std::string variable_text(const PrintNames& names, VariableId id,
                          std::optional<std::uint32_t> field);

}  // namespace isomer::program
