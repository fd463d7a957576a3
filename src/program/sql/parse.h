// SPDX-License-Identifier: MIT
// PostgreSQL's own scanner and grammar (libpg_query), as tokens and trees of ours.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace isomer::program {

struct SqlToken {
  enum class Kind : std::uint8_t {
    Word,        // a name or a keyword, without quotes
    QuotedWord,  // "a name"
    Integer,
    Decimal,
    String,
    Parameter,  // $1
    Sign,
  };

  Kind kind = Kind::Sign;
  std::uint32_t first = 0;  // bytes [first, last) of the text
  std::uint32_t last = 0;
};

struct SqlError {
  std::uint32_t offset = 0;
  std::string message;
};

// One node of a parse tree: its kind ("A_Expr"; empty for plain structures and scalars),
// its fields, its items if it is a list, its value if it is a scalar.
class SqlNode {
 public:
  [[nodiscard]] const std::string& kind() const { return kind_; }

  [[nodiscard]] bool is(std::string_view kind) const { return kind_ == kind; }

  [[nodiscard]] bool exists() const { return this != &none(); }

  [[nodiscard]] bool has(std::string_view field) const { return (*this)[field].exists(); }

  // A field or item that is absent is none(), of which all others are absent too.
  const SqlNode& operator[](std::string_view field) const;
  [[nodiscard]] const SqlNode& item(std::size_t index) const;

  // Those of a list, or of a node of kind List.
  [[nodiscard]] const std::vector<SqlNode>& items() const;

  [[nodiscard]] const std::string& text() const { return text_; }

  [[nodiscard]] std::int64_t number() const { return number_; }

  [[nodiscard]] bool truth() const { return number_ != 0; }

  // The text of a String node.
  [[nodiscard]] const std::string& name() const { return (*this)["sval"].text(); }

  static const SqlNode& none();

 private:
  friend class SqlTreeBuilder;

  std::string kind_;
  std::string text_;
  std::int64_t number_ = 0;
  std::vector<std::string> names_;  // of fields
  std::vector<SqlNode> children_;   // fields or items
};

// Comments are left out.
tl::expected<std::vector<SqlToken>, SqlError> scan_sql(const std::string& text);

// The statements; places in nodes are bytes of `text`.  Texts whose depth could exhaust the
// stack, and BEGIN ATOMIC, are refused.
tl::expected<std::vector<SqlNode>, SqlError> parse_sql_text(
    const std::string& text, const std::vector<SqlToken>& tokens);

// libpg_query's reading of PL/pgSQL, as JSON, for comparison in tests.
tl::expected<std::string, SqlError> parse_plpgsql_text(const std::string& text);

}  // namespace isomer::program
