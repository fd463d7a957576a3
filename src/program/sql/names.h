// SPDX-License-Identifier: MIT
// The variables that a place in a function can name: blocks inside blocks, each perhaps
// with a label; the outermost holds the parameters and is labelled with the function's
// name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/ir.h"

namespace isomer::program {

// A variable, or a field of a record variable.
struct VariableName {
  VariableId variable;
  std::optional<std::uint32_t> field;
  bool lacks_field = false;  // the record is there, the field is not
};

class VariableNames {
 public:
  void open_block(std::string label);
  void close_block();

  VariableId add(Variable variable);
  // One that the program cannot name: `.case 1`.
  VariableId add_hidden(std::string_view purpose, const Type& type, Span at);
  // A copy of a variable of another routine, which the program cannot name either.
  VariableId add_copy(const Variable& variable, std::string_view routine, Span at);
  // Another variable under a name that is already there, until the block closes.
  void rename(std::string name, VariableId variable);

  // By one to three words: variable, record.field, label.variable, label.record.field.
  [[nodiscard]] std::optional<VariableName> find(std::span<const std::string> words) const;

  [[nodiscard]] bool is_in_innermost(const std::string& name) const;

  [[nodiscard]] std::vector<std::string> visible() const;

  [[nodiscard]] Variable& variable(VariableId id) { return variables_[id.index]; }

  [[nodiscard]] const Variable& variable(VariableId id) const {
    return variables_[id.index];
  }

  [[nodiscard]] std::vector<Variable>& all() { return variables_; }

  // The functions of SQL (not PL/pgSQL) let a column hide a parameter of the same name.
  bool columns_hide_variables = false;
  std::uint32_t parameter_count = 0;

 private:
  struct BlockNames {
    std::string label;
    std::vector<std::pair<std::string, VariableId>> names;

    [[nodiscard]] const VariableId* find(const std::string& name) const;
  };

  [[nodiscard]] std::optional<VariableName> member(VariableId record,
                                                   const std::string& field) const;
  [[nodiscard]] std::optional<VariableName> find_in(
      const BlockNames& block, std::span<const std::string> words) const;

  std::vector<BlockNames> blocks_;
  std::vector<Variable> variables_;
  std::size_t hidden_count_ = 0;
};

}  // namespace isomer::program
