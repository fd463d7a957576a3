// SPDX-License-Identifier: MIT
#include "program/sql/rewrite.h"

#include <map>

#include "program/sql/coerce.h"

namespace isomer::program {
namespace {

class Rewriting {
 public:
  explicit Rewriting(const LeafChange& change) : change_(change) {}

  ExpressionPtr changed(const ExpressionPtr& e, std::uint32_t depth) {
    if (!e) return nullptr;
    const auto [known, is_new] = known_.try_emplace({e.get(), depth});
    if (!is_new) return known->second;
    ExpressionPtr out = changed_now(e, depth);
    return known_[{e.get(), depth}] = std::move(out);
  }

 private:
  ExpressionPtr changed_now(const ExpressionPtr& e, std::uint32_t depth) {
    if (e->kind == Expression::Kind::Column || e->kind == Expression::Kind::Variable) {
      ExpressionPtr out = change_(*e, depth);
      return out ? out : e;
    }
    bool is_same = true;
    Expression out = *e;
    change(out.arguments, depth, is_same);
    if (out.query) {
      const SelectPtr query = changed(out.query, depth + 1);
      is_same &= query == out.query;
      out.query = query;
    }
    return is_same ? e : make(std::move(out));
  }

  void change(ExpressionPtr& e, std::uint32_t depth, bool& is_same) {
    ExpressionPtr out = changed(e, depth);
    is_same &= out == e;
    e = std::move(out);
  }

  void change(std::vector<ExpressionPtr>& list, std::uint32_t depth, bool& is_same) {
    for (ExpressionPtr& e : list)
      change(e, depth, is_same);
  }

  SelectPtr changed(const SelectPtr& query, std::uint32_t depth) {
    bool is_same = true;
    Select out = *query;
    for (CommonTable& common : out.with)
      change(common.rows, depth, is_same);
    for (Source& source : out.from) {
      change(source.rows, depth, is_same);
      change(source.left_join_on, depth, is_same);
    }
    change(out.where, depth, is_same);
    change(out.columns, depth, is_same);
    change(out.group_by, depth, is_same);
    change(out.having, depth, is_same);
    for (OrderKey& key : out.order)
      change(key.by, depth, is_same);
    change(out.limit, depth, is_same);
    change(out.offset, depth, is_same);
    return is_same ? query : std::make_shared<const Select>(std::move(out));
  }

  const LeafChange& change_;
  std::map<std::pair<const Expression*, std::uint32_t>, ExpressionPtr> known_;
};

}  // namespace

ExpressionPtr rewritten(const ExpressionPtr& expression, const LeafChange& change) {
  return Rewriting(change).changed(expression, 0);
}

ExpressionPtr deepened(const ExpressionPtr& expression, std::uint32_t depth) {
  if (depth == 0) return expression;
  return rewritten(expression,
                   [&](const Expression& leaf, std::uint32_t inside) -> ExpressionPtr {
                     if (leaf.kind != Expression::Kind::Column || leaf.outer < inside)
                       return nullptr;
                     Expression out = leaf;
                     out.outer += depth;
                     return make(std::move(out));
                   });
}

}  // namespace isomer::program
