// SPDX-License-Identifier: MIT
// JSON, EDN and YAML documents as one kind of tree, so that a format which comes in two of
// them is understood once.  A tree is a flat array of nodes in preorder: cheap to fill
// again for each line of a long file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "history/builder.h"
#include "history/format/format.h"

namespace isomer::history {

enum class DatumKind : std::uint8_t {
  Nil,
  Integer,
  Text,     // a string, a number that is no 64-bit integer, true, false
  Keyword,  // EDN only: :x, without the colon
  List,     // lists, vectors, sets, arrays
  Map,      // keys and values in turn
};

struct DatumNode {
  DatumKind kind;
  std::uint32_t next;  // the node after this one's descendants
  std::size_t offset;  // in the source
  std::int64_t number;
  std::string_view text;
};

// Parsers refuse what is nested deeper.
inline constexpr std::size_t nesting_max = 100;

class Datum;

class DatumTree {
 public:
  void clear();

  [[nodiscard]] bool is_empty() const { return nodes_.empty(); }

  [[nodiscard]] Datum root() const;

  // Appends a node.  A List or Map is followed by its children and then by close().
  std::uint32_t add(DatumKind kind, std::size_t offset);
  void add_integer(std::size_t offset, std::int64_t number);
  void add_text(DatumKind kind, std::size_t offset, std::string_view text);
  void close(std::uint32_t node);

  // Forgets the nodes from `node` on (EDN's discarded forms).
  void cut(std::uint32_t node) { nodes_.resize(node); }

  // Keeps a text that does not stand in the source.
  std::string_view keep(std::string text);

  [[nodiscard]] std::uint32_t size() const {
    return static_cast<std::uint32_t>(nodes_.size());
  }

  [[nodiscard]] const DatumNode& node(std::uint32_t index) const { return nodes_[index]; }

 private:
  std::vector<DatumNode> nodes_;
  std::deque<std::string> texts_;
};

// One node, with its children as a range.
class Datum {
 public:
  Datum(const DatumTree& tree, std::uint32_t index) : tree_(&tree), index_(index) {}

  [[nodiscard]] DatumKind kind() const { return node().kind; }

  [[nodiscard]] bool is(DatumKind kind) const { return node().kind == kind; }

  [[nodiscard]] std::size_t offset() const { return node().offset; }

  [[nodiscard]] std::int64_t number() const { return node().number; }

  [[nodiscard]] std::string_view text() const { return node().text; }

  // Text or keyword `word`.
  [[nodiscard]] bool is_word(std::string_view word) const {
    return (is(DatumKind::Text) || is(DatumKind::Keyword)) && text() == word;
  }

  class Iterator {
   public:
    Iterator(const DatumTree& tree, std::uint32_t index) : tree_(&tree), index_(index) {}

    Datum operator*() const { return {*tree_, index_}; }

    Iterator& operator++() {
      index_ = tree_->node(index_).next;
      return *this;
    }

    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const DatumTree* tree_;
    std::uint32_t index_;
  };

  [[nodiscard]] Iterator begin() const { return {*tree_, index_ + 1}; }

  [[nodiscard]] Iterator end() const { return {*tree_, node().next}; }

  [[nodiscard]] bool is_empty() const { return node().next == index_ + 1; }

  // The value of `key` in a map.
  [[nodiscard]] std::optional<Datum> find(std::string_view key) const;

  [[nodiscard]] std::size_t size() const;

  // Child number `i`; i < size().
  [[nodiscard]] Datum child(std::size_t i) const;

 private:
  [[nodiscard]] const DatumNode& node() const { return tree_->node(index_); }

  const DatumTree* tree_;
  std::uint32_t index_;
};

// "a list", "the number 7", "'abc'": for "expected X, found ...".
std::string describe(const Datum& datum);

// "expected WHAT, found ..." at the datum.
Diagnostic unexpected_datum(const Source& source, const Datum& datum,
                            std::string_view what);

// A key: a number or a text.  A value: also nil.
tl::expected<KeyId, Diagnostic> key_of(HistoryBuilder& builder, const Source& source,
                                       const Datum& datum);
tl::expected<Value, Diagnostic> value_of(HistoryBuilder& builder, const Source& source,
                                         const Datum& datum);
tl::expected<std::vector<Value>, Diagnostic> list_of(HistoryBuilder& builder,
                                                     const Source& source,
                                                     const Datum& datum);

}  // namespace isomer::history
