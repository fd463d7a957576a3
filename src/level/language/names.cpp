// SPDX-License-Identifier: MIT
#include "level/language/names.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "level/language/vocabulary.h"

namespace isomer::level {
namespace {

// The definition of that name; users' before those of the library.
template <class Definition, class Fits>
const Definition* find_definition(const Program& program,
                                  const std::vector<Definition>& all, Seen seen,
                                  const Fits& fits) {
  for (const bool standard : {false, true}) {
    if (!standard && seen == Seen::OnlyStandard) continue;
    for (const Definition& one : all)
      if (program.is_standard(one.place) == standard && fits(one)) return &one;
  }
  return nullptr;
}

std::string or_meant(std::string_view name, const std::vector<std::string>& known) {
  const auto meant = nearest(name, known);
  return meant && *meant != name ? fmt::format("; did you mean '{}'?", *meant) : "";
}

class NameChecker {
 public:
  NameChecker(const Program& program, Diagnostics& errors)
      : program_(program), errors_(errors) {}

  void check() {
    duplicates(program_.frameworks, "framework");
    duplicates(program_.lets, "let");
    level_duplicates();
    for (const Let& let : program_.lets)
      if (!program_.is_standard(let.place)) check_let(let, nullptr);
    for (const Block& block : program_.frameworks)
      if (!program_.is_standard(block.place)) check_framework(block);
    for (const Block& block : program_.levels)
      if (!program_.is_standard(block.place)) check_level(block);
  }

 private:
  Diagnostic& complain(Place place, std::string message) {
    errors_.push_back(diagnostic_at(program_, place, std::move(message)));
    return errors_.back();
  }

  void complain_twice(Place place, Place before, std::string message) {
    complain(place, std::move(message))
        .notes.push_back(note_at(program_, before, "first defined here"));
  }

  template <class Definition>
  void duplicates(const std::vector<Definition>& all, std::string_view what) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (program_.is_standard(all[i].place)) continue;
      if (given_named(all[i].name) != nullptr)
        complain(all[i].place,
                 fmt::format("'{}' is a name of the language, it cannot be defined again",
                             all[i].name));
      for (std::size_t j = 0; j < i; ++j)
        if (all[j].name == all[i].name && !program_.is_standard(all[j].place)) {
          complain_twice(all[i].place, all[j].place,
                         fmt::format("{} '{}' is defined twice", what, all[i].name));
          break;
        }
    }
  }

  void level_duplicates() {
    const auto& all = program_.levels;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (all[j].name == all[i].name && all[j].framework == all[i].framework &&
            !program_.is_standard(all[i].place) && !program_.is_standard(all[j].place)) {
          complain_twice(all[i].place, all[j].place,
                         fmt::format("level '{}' of {} is defined twice", all[i].name,
                                     all[i].framework));
          break;
        }
  }

  void check_let(const Let& let, const Block* block) {
    std::vector<std::string_view> bound;
    for (const Variable& parameter : let.parameters) {
      check_variable(parameter, bound);
      if (!parameter.sort.empty()) check_sort(parameter.sort, parameter.sort_place);
      bound.push_back(parameter.name);
    }
    check_body(let.body, block, bound);
    check_recursion(let, block);
  }

  void check_variable(const Variable& variable,
                      const std::vector<std::string_view>& bound) {
    if (given_named(variable.name) != nullptr)
      complain(variable.place,
               fmt::format("'{}' is a name of the language, it cannot be a variable",
                           variable.name));
    if (std::find(bound.begin(), bound.end(), variable.name) != bound.end())
      complain(variable.place,
               fmt::format("there is a variable '{}' already", variable.name));
  }

  void check_sort(std::string_view name, Place place) {
    if (sort_named(name)) return;
    const std::vector<std::string> sorts = {"Txn", "Key", "Val", "Read"};
    const std::string meant = or_meant(name, sorts);
    complain(place,
             fmt::format("unknown sort '{}'{}", name,
                         meant.empty() ? "; there are Txn, Key, Val and Read" : meant));
  }

  void check_framework(const Block& block) {
    for (std::size_t i = 0; i < block.witnesses.size(); ++i)
      check_witness(block, i);
    check_statements(block, block);
  }

  void check_witness(const Block& block, std::size_t index) {
    const WitnessSyntax& witness = block.witnesses[index];
    if (given_named(witness.name) != nullptr)
      complain(witness.place,
               fmt::format("'{}' is a name of the language, it cannot be a witness",
                           witness.name));
    for (std::size_t i = 0; i < index; ++i)
      if (block.witnesses[i].name == witness.name)
        complain_twice(witness.place, block.witnesses[i].place,
                       fmt::format("witness '{}' is defined twice", witness.name));
    check_sort(witness.first_sort, witness.first_place);
    check_sort(witness.second_sort, witness.second_place);
    if (sort_named(witness.first_sort) && sort_named(witness.second_sort) &&
        (witness.first_sort != "Txn" || witness.second_sort != "Txn"))
      complain(witness.first_place, "a witness is a relation Txn * Txn");
    if (witness.keys.empty()) return;
    const Variable& key = witness.keys.front();
    check_variable(key, {});
    check_sort(key.sort, key.sort_place);
    if (witness.keys.size() > 1 || (sort_named(key.sort) && key.sort != "Key"))
      complain(witness.place, "a witness has at most one index, a Key");
  }

  void complain_of_framework(Place place, std::string_view name) {
    std::vector<std::string> known;
    for (const Block& framework : program_.frameworks)
      known.emplace_back(framework.name);
    const std::string meant = or_meant(name, known);
    complain(place, fmt::format("unknown framework '{}'{}", name,
                                meant.empty()
                                    ? fmt::format("; there are {}", fmt::join(known, ", "))
                                    : meant));
  }

  void check_level(const Block& block) {
    if (framework_of(program_, block) == nullptr) {
      complain_of_framework(block.framework_place, block.framework);
      return;
    }
    check_statements(block, block);
  }

  void check_statements(const Block& block, const Block& scope) {
    duplicates(block.lets, "let");
    for (const Let& let : block.lets)
      check_let(let, &scope);
    for (const Statement& statement : block.statements) {
      std::vector<std::string_view> bound = keys_of_shape(block, statement);
      check_body(statement.formula, &scope, bound);
    }
  }

  // In `total_order vo[x] on W[x]` the name x is bound by the witness.
  std::vector<std::string_view> keys_of_shape(const Block& block,
                                              const Statement& statement) {
    const Node& node = program_[statement.formula];
    if (node.kind != NodeKind::TotalOrder) return {};
    const WitnessSyntax* witness = witness_named(block, program_[node.children[0]].text);
    if (witness == nullptr || witness->keys.empty()) return {};
    return {witness->keys.front().name};
  }

  void check_body(NodeId id, const Block* block, std::vector<std::string_view>& bound) {
    if (errors_.size() >= errors_max) return;
    const Node& node = program_[id];
    const std::size_t outside = bound.size();
    std::vector<std::string_view> here;
    for (const Variable& variable : node.variables) {
      check_variable(variable, here);
      check_sort(variable.sort, variable.sort_place);
      here.push_back(variable.name);
      bound.push_back(variable.name);
    }
    if (node.kind == NodeKind::Name) check_name(node, block, bound);
    if (node.kind == NodeKind::LevelName) check_level_name(node);
    if (node.kind == NodeKind::Plus && is_level_with_plus(node)) return;
    for (const NodeId child : node.children)
      check_body(child, block, bound);
    bound.resize(outside);
  }

  // PL-2+ in a formula.
  bool is_level_with_plus(const Node& node) {
    const Node& inner = program_[node.children[0]];
    return inner.kind == NodeKind::Name &&
           level_named(program_, std::string(inner.text) + "+", nullptr, Seen::All) !=
               nullptr;
  }

  void check_name(const Node& node, const Block* block,
                  const std::vector<std::string_view>& bound) {
    const std::vector<std::string_view> known = names_in_scope(block, bound);
    if (std::find(known.begin(), known.end(), node.text) != known.end()) return;
    if (level_named(program_, node.text, nullptr, Seen::All) != nullptr) return;
    std::string hint = or_meant(node.text, {known.begin(), known.end()});
    const auto& frameworks = program_.frameworks;
    const auto owner = std::find_if(
        frameworks.begin(), frameworks.end(),
        [&](const Block& f) { return witness_named(f, node.text) != nullptr; });
    if (owner != frameworks.end())
      hint = fmt::format("; it is a witness of framework {}", owner->name);
    complain(node.place, fmt::format("unknown name '{}'{}", node.text, hint));
  }

  void check_level_name(const Node& node) {
    const Block* framework = framework_named(program_, node.text, Seen::All);
    if (framework == nullptr) {
      complain_of_framework(node.place, node.text);
      return;
    }
    if (level_named(program_, node.second_text, framework, Seen::All) != nullptr) return;
    std::vector<std::string> known;
    for (const Block& level : program_.levels)
      if (level.framework == node.text) known.emplace_back(level.name);
    complain(node.place, fmt::format("framework {} has no level '{}'{}", node.text,
                                     node.second_text, or_meant(node.second_text, known)));
  }

  // In a block only its framework's witnesses and lets; in a let outside of blocks those of
  // all frameworks, since only its uses tell which.
  std::vector<std::string_view> names_in_scope(const Block* block,
                                               const std::vector<std::string_view>& bound) {
    std::vector<std::string_view> out(bound.begin(), bound.end());
    const auto add_lets = [&](const std::vector<Let>& lets) {
      for (const Let& let : lets)
        out.emplace_back(let.name);
    };
    const auto add_framework = [&](const Block& framework) {
      for (const WitnessSyntax& witness : framework.witnesses)
        out.emplace_back(witness.name);
      add_lets(framework.lets);
    };
    if (block != nullptr) {
      add_lets(block->lets);
      add_framework(block->framework.empty() ? *block : *framework_of(program_, *block));
    } else {
      for (const Block& framework : program_.frameworks)
        add_framework(framework);
    }
    add_lets(program_.lets);
    const std::vector<std::string_view> given = given_names();
    out.insert(out.end(), given.begin(), given.end());
    return out;
  }

  struct Use {
    const Let* let;
    const Block* block;  // that has it; null if it stands outside
    Place place;
  };

  // The lets that a let mentions.  Without recursion: lets may be long chains.
  const std::vector<Use>& uses_of(const Let& let, const Block* block) {
    const auto [found, is_new] = uses_.try_emplace(&let);
    std::vector<NodeId> nodes;
    if (is_new) nodes.push_back(let.body);
    while (!nodes.empty()) {
      const Node& node = program_[nodes.back()];
      nodes.pop_back();
      nodes.insert(nodes.end(), node.children.begin(), node.children.end());
      if (node.kind != NodeKind::Name) continue;
      const Let* own = block == nullptr ? nullptr : let_named(block->lets, node.text);
      const Let* used = own ? own : let_named(program_, node.text, Seen::All);
      if (used != nullptr)
        found->second.push_back({used, own ? block : nullptr, node.place});
    }
    return found->second;
  }

  void check_recursion(const Let& let, const Block* block) {
    std::vector<Use> reached{{&let, block, let.place}};
    std::set<const Let*> seen;
    while (!reached.empty()) {
      const Use use = reached.back();
      reached.pop_back();
      for (const Use& next : uses_of(*use.let, use.block)) {
        if (next.let == &let) {
          complain(next.place, fmt::format("'{}' is defined by itself", let.name))
              .notes.push_back(note_at(program_, let.place, "defined here"));
          return;
        }
        if (seen.insert(next.let).second) reached.push_back(next);
      }
    }
  }

  const Program& program_;
  Diagnostics& errors_;
  std::map<const Let*, std::vector<Use>> uses_;
};

}  // namespace

const Block* framework_named(const Program& program, std::string_view name, Seen seen) {
  return find_definition(program, program.frameworks, seen,
                         [&](const Block& one) { return one.name == name; });
}

const Block* framework_of(const Program& program, const Block& level) {
  return framework_named(program, level.framework,
                         program.is_standard(level.place) ? Seen::OnlyStandard : Seen::All);
}

const Block* level_named(const Program& program, std::string_view name,
                         const Block* framework, Seen seen) {
  return find_definition(program, program.levels, seen, [&](const Block& one) {
    return one.name == name &&
           (framework == nullptr || framework_of(program, one) == framework);
  });
}

const Let* let_named(const std::vector<Let>& lets, std::string_view name) {
  const auto found = std::find_if(lets.begin(), lets.end(),
                                  [&](const Let& let) { return let.name == name; });
  return found == lets.end() ? nullptr : &*found;
}

const Let* let_named(const Program& program, std::string_view name, Seen seen) {
  return find_definition(program, program.lets, seen,
                         [&](const Let& let) { return let.name == name; });
}

const WitnessSyntax* witness_named(const Block& framework, std::string_view name) {
  const auto& all = framework.witnesses;
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const WitnessSyntax& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

void check_names(const Program& program, Diagnostics& errors) {
  NameChecker(program, errors).check();
}

}  // namespace isomer::level
