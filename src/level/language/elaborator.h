// SPDX-License-Identifier: MIT
// The state of one elaboration, shared by elaborator.cpp (levels and axioms) and
// elaborator_terms.cpp (what stands in them).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "level/language/names.h"
#include "level/language/syntax.h"
#include "level/language/typing.h"
#include "level/language/vocabulary.h"
#include "level/level.h"

namespace isomer::level {

using Elaborated = std::optional<Value>;

struct Binding {
  std::string_view name;
  Value value;
};

// Where a body stands: what it may mention besides the framework.
struct NameScope {
  const Block* block = nullptr;  // whose lets are seen
  Seen seen = Seen::All;
  std::vector<Binding> bindings;
};

// Writes the axioms of one level, or of a framework alone, into `out`.
class Elaborator {
 public:
  Elaborator(const Program& program, const Block& framework, Level& out,
             Diagnostics& errors)
      : program_(program),
        framework_(framework),
        out_(out),
        errors_(errors),
        builder_(out.terms) {}

  void add_framework();
  void add_level(const Block& level);
  // The framework, and the lets and levels that were used, as written.
  [[nodiscard]] std::string context() const;
  [[nodiscard]] std::string text_of(const Extent& extent) const;

 private:
  enum class Shape : bool { No, Yes };
  [[nodiscard]] Seen seen_from(Place place) const;
  [[nodiscard]] NameScope scope_of(const Block& block) const;
  std::nullopt_t fail(Place place, std::string message, std::vector<Note> notes = {});
  Elaborated checked(Place place, const Typed& typed);
  // Said once, of the outermost use; whatever follows is too large as well.
  std::nullopt_t give_up(Place place);
  // `total_order co` and `total_order vo[x] on W[x]` in a framework give the witness its
  // shape, once.
  bool add_shape(const Statement& statement);
  static std::string name_of(const Block& block, const Statement& statement);
  void add_axiom(std::string name, TermId formula, Shape shape);
  // A statement as axioms: an unnamed conjunction is several, and a level in it brings its
  // own.
  void add_axioms(const Block& block, const Statement& statement);
  void add_formula(const Block& block, const Statement& statement, NodeId formula);
  // The level that a node names, if it is one: RA, cerone:RA, PL-2+.
  const Block* level_meant(const Node& node);
  const Block* level_by_bare_name(std::string_view name);
  bool is_other_name(std::string_view name);
  bool may_use(const Block& level, Place place);
  // A level inside of a formula: the conjunction of its own axioms.
  Elaborated level_as_formula(const Block& level, Place place);
  Elaborated elaborate(NodeId id);
  Elaborated elaborate(const Node& node);
  Elaborated operation(const Node& node);
  // (t, u) in r has three operands.
  std::vector<NodeId> operand_nodes(const Node& node);
  std::optional<std::vector<Value>> all_of(const std::vector<NodeId>& nodes);
  Elaborated type_name(const Node& node);
  void note_sort(Sort sort);
  Value bind_variable(std::string_view name, Sort sort);
  void unbind_variable();
  bool has_room(std::size_t variables, Place place);
  Elaborated quantifier(const Node& node);
  const Value* bound_value(std::string_view name) const;

  struct FoundLet {
    const Let* let = nullptr;
    const Block* block = nullptr;
  };

  FoundLet let_meant(std::string_view name) const;
  Elaborated name(const Node& node);
  // The index of wr[x]; absent after a complaint.
  std::optional<TermId> key_index(const Node& node);
  Elaborated indexed(const Node& node, Op op, Type type, std::uint32_t number,
                     bool takes_key);
  Elaborated witness_relation(const Node& node, const WitnessSyntax& witness);
  Elaborated given_term(const Node& node, const GivenName& given);
  static bool has_only_keys(const Let& let);
  Elaborated expand(const Node& node, const FoundLet& found);

  template <class Definition>
  static void note_use(std::vector<const Definition*>& used, const Definition& one) {
    if (std::find(used.begin(), used.end(), &one) == used.end()) used.push_back(&one);
  }

  std::nullopt_t fail_arity(const Node& node, const Let& let);
  bool has_sort(const Value& argument, const Variable& parameter, const Node& node);

  const Program& program_;
  const Block& framework_;
  Level& out_;
  Diagnostics& errors_;
  TermBuilder builder_;
  NameScope scope_;
  std::uint32_t depth_ = 0;  // of quantifiers
  std::size_t steps_ = 0;
  std::size_t nesting_ = 0;
  bool has_given_up_ = false;
  std::vector<Place> uses_;  // of the lets being expanded, outermost first
  std::vector<const Let*> expanding_;
  std::vector<const Let*> used_lets_;  // those outside of blocks
  std::vector<const Block*> used_levels_;
  std::vector<const Block*> levels_;  // being written out
};

// The level that a block of the program defines, with names and lets gone and every sort
// checked.  The names must have been checked.  Complaints go to `errors`, each once.
Level elaborate_level(const Program& program, const Block& level, Diagnostics& errors);

// The framework alone: a level without axioms of its own.
Level elaborate_framework(const Program& program, const Block& framework,
                          Diagnostics& errors);

}  // namespace isomer::level
