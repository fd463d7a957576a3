// SPDX-License-Identifier: MIT
// FROM and WHERE of one statement, as conditions on the records of one of its tables.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/statements/evaluate.h"

namespace isomer::audit {

using program::Select;
using program::Source;

class RowFilter {
 public:
  RowFilter(Situation situation, std::vector<Source> from, const Expression* where,
            std::shared_ptr<const RowTerms> around, std::string name);

  // The statement looks at the record as a row of that source: its result may depend on it.
  //
  // With Reads::Scanned that is every record whose primary key does not contradict the
  // WHERE, as for program/machine/join.cpp.  With Reads::Relevant it is every record that
  // could satisfy the WHERE, whatever is in the columns that can change.
  [[nodiscard]] Term looks_at(std::size_t source, const Record& record) const;

  // The record is a row that satisfies the WHERE, together with some rows of the others.
  [[nodiscard]] Term matches(std::size_t source, const Record& record) const;

  // `matches` is not only necessary but sufficient.
  [[nodiscard]] bool is_exact() const { return is_exact_; }

  [[nodiscard]] std::size_t source_count() const { return from_.size(); }

  [[nodiscard]] const Source& source(std::size_t i) const { return from_[i]; }

  [[nodiscard]] const Situation& situation() const { return situation_; }

  [[nodiscard]] bool is_outer(std::size_t i) const {
    return from_[i].left_join_on != nullptr;
  }

  // A tuple of rows, and that the statement finds it.
  struct Found {
    RowTerms scope;
    Term condition;
  };

  [[nodiscard]] Found found_tuple(const std::string& name) const;

 private:
  struct Conjunct {
    const Expression* condition = nullptr;
    std::vector<bool> mentions;   // by source
    std::vector<bool> needs_key;  // by source: of its columns, only those of the key
    std::vector<bool> needs_fixed;
  };

  [[nodiscard]] std::vector<Conjunct> analysed(const Expression* condition) const;
  [[nodiscard]] bool mentions_outer(const Conjunct& conjunct) const;
  [[nodiscard]] std::optional<std::size_t> pinned_column(const Expression& condition,
                                                         std::size_t source) const;
  [[nodiscard]] std::optional<Term> looks_up(const std::vector<const Conjunct*>& usable,
                                             std::size_t source,
                                             const RowTerms& scope) const;
  [[nodiscard]] RowTerms scope_with(std::size_t source, const Record& record) const;
  [[nodiscard]] Record pinned_record(std::size_t source, const std::string& name) const;

  Situation situation_;
  std::vector<Source> from_;
  std::shared_ptr<const RowTerms> around_;
  std::string name_;
  std::vector<Conjunct> where_;
  std::vector<std::vector<Conjunct>> join_on_;  // by source
  bool is_exact_ = true;
};

}  // namespace isomer::audit
