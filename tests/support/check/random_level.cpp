// SPDX-License-Identifier: MIT
#include "support/check/random_level.h"

#include <vector>

#include <fmt/format.h>

#include "base/random.h"

namespace isomer::check {
namespace {

using Words = std::vector<std::string>;

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string out = "framework g {\n" + witnesses() + "}\n";
    out += "let seen[x, r] = ([W[x]] ; r ; wr[x]^-1) \\ id\n";
    if (chance(0.5)) {
      out += "let by_key[x: Key] = " + in_scope("x", [&] { return relation(2); }) + "\n";
      has_keyed_let_ = true;
    }
    out += "level L : g {\n";
    const auto count = 1 + random_.below(3);
    for (std::uint64_t i = 0; i < count; ++i)
      out += fmt::format("  axiom A{}: {}\n", i, formula(3));
    return out + "}\n";
  }

 private:
  bool chance(double probability) { return random_.chance(probability); }

  const std::string& one_of(const Words& words) {
    return words[random_.below(words.size())];
  }

  // At least one of a commit order, an order for each key, and a relation.
  std::string witnesses() {
    const auto kinds = 1 + random_.below(6);
    std::string out;
    if ((kinds & 1U) != 0) {
      out += "  witness co : Txn * Txn\n  total_order co\n";
      relations_.emplace_back("co");
    }
    if ((kinds & 2U) != 0) {
      out += "  witness vo[x: Key] : Txn * Txn\n  total_order vo[x] on W[x]\n";
      relations_.emplace_back("vo");
      keyed_relations_.emplace_back("vo[{}]");
    }
    if ((kinds & 4U) != 0) {
      out += "  witness r : Txn * Txn\n  axiom Bound: r in so | wr\n";
      relations_.emplace_back("r");
    }
    if ((kinds & 1U) != 0 && chance(0.5)) out += "  axiom Base: so | wr in co\n";
    if ((kinds & 2U) != 0 && chance(0.5))
      out += "  axiom First: forall x: Key { (init * W[x]) \\ id in vo[x] }\n";
    return out;
  }

  template <class Make>
  std::string in_scope(const std::string& key, Make make) {
    keys_.push_back(key);
    std::string out = make();
    keys_.pop_back();
    return out;
  }

  std::string set(int depth) {
    Words words{"Txn", "W", "R", "init", "thin_air", "type \"Pay\""};
    for (const std::string& x : keys_) {
      words.push_back(fmt::format("W[{}]", x));
      words.push_back(fmt::format("R[{}]", x));
    }
    words.insert(words.end(), txns_.begin(), txns_.end());
    if (depth == 0 || chance(0.6)) return one_of(words);
    return fmt::format("({} {} {})", set(depth - 1), one_of({"|", "&", "\\"}),
                       set(depth - 1));
  }

  std::string atom() {
    Words words = relations_;
    words.insert(words.end(), {"so", "wr", "id", "(rf ; po ; rf^-1)"});
    for (const std::string& x : keys_) {
      words.push_back(fmt::format("wr[{}]", x));
      words.push_back(fmt::format("(rf ; po ; rf[{}]^-1)", x));
      for (const std::string& keyed : keyed_relations_)
        words.push_back(fmt::format(fmt::runtime(keyed), x));
      if (has_keyed_let_) words.push_back(fmt::format("by_key[{}]", x));
    }
    if (has_keyed_let_) words.emplace_back("by_key");
    return one_of(words);
  }

  std::string relation(int depth) {
    if (depth == 0 || chance(0.25)) return atom();
    switch (random_.below(7)) {
      case 0:
        return fmt::format("[{}]", set(1));
      case 1:
        return fmt::format("({} * {})", set(1), set(1));
      case 2:
        return fmt::format("({}){}", relation(depth - 1), one_of({"^-1", "+", "*", "?"}));
      case 3:
      case 4:
        return fmt::format("({} ; {})", relation(depth - 1), relation(depth - 1));
      case 5:
        if (!keys_.empty())
          return fmt::format("seen[{}, {}]", one_of(keys_), relation(depth - 1));
        [[fallthrough]];
      default:
        return fmt::format("({} {} {})", relation(depth - 1), one_of({"|", "&", "\\"}),
                           relation(depth - 1));
    }
  }

  std::string quantified(int depth) {
    const std::string name = fmt::format("v{}", depth_++);
    const auto sort = random_.below(5);
    Words& scope = sort < 3 ? keys_ : sort == 3 ? txns_ : values_;
    scope.push_back(name);
    const std::string body = formula(depth - 1);
    scope.pop_back();
    --depth_;
    return fmt::format("{} {}: {} {{ {} }}", one_of({"forall", "forall", "exists"}), name,
                       sort < 3    ? "Key"
                       : sort == 3 ? "Txn"
                                   : "Val",
                       body);
  }

  std::string element_formula() {
    if (!values_.empty() && !keys_.empty() && chance(0.7))
      return fmt::format("{}({}, {}, {})", one_of({"writes", "reads"}), one_of(txns_),
                         one_of(keys_), one_of(values_));
    if (keys_.size() > 1 && chance(0.3))
      return fmt::format("{} {} {}", keys_[0], one_of({"=", "!="}), keys_[1]);
    if (chance(0.4))
      return fmt::format("({}, {}) in {}", one_of(txns_), one_of(txns_), relation(1));
    if (chance(0.3)) return fmt::format("{} = {}", one_of(txns_), one_of(txns_));
    return fmt::format("{} in {}", one_of(txns_), set(1));
  }

  std::string predicate() {
    if (!txns_.empty() && chance(0.5)) return element_formula();
    switch (random_.below(9)) {
      case 0:
        return fmt::format("empty {}", relation(2));
      case 1:
        return fmt::format("acyclic {}", relation(2));
      case 2:
        return fmt::format("irreflexive {}", relation(2));
      case 3:
        return fmt::format("transitive {}", relation(1));
      case 4:
        return fmt::format("total {} on {}", relation(1), set(1));
      case 5:
        return chance(0.5) ? fmt::format("total_order {} on {}", relation(1), set(1))
                           : fmt::format("{} = {}", relation(2), relation(1));
      default:
        return fmt::format("{} in {}", relation(3), relation(1));
    }
  }

  std::string formula(int depth) {
    if (depth == 0) return predicate();
    switch (random_.below(6)) {
      case 0:
        return fmt::format("(not ({}))", formula(depth - 1));
      case 1:
        return fmt::format("(({}) {} ({}))", formula(depth - 1),
                           one_of({"and", "or", "implies", "iff"}), formula(depth - 1));
      case 2:
      case 3:
        return quantified(depth);
      default:
        return predicate();
    }
  }

  Random random_;
  Words relations_;
  Words keyed_relations_;
  Words keys_;
  Words txns_;
  Words values_;
  bool has_keyed_let_ = false;
  int depth_ = 0;
};

}  // namespace

std::string random_level_text(std::uint64_t seed) {
  return Writer(seed).text();
}

}  // namespace isomer::check
