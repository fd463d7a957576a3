// SPDX-License-Identifier: MIT
// Four traps of libpg_query 15-4.0 are closed here.  Its error places count characters,
// not bytes.  Long chains of operators exhaust the stack, so texts are bounded before they
// are parsed; a long operator takes the scanner quadratic time.  Its JSON drops the value
// of a negative integer (-5 becomes {"ival": {}}), which is put back from the source.
#include "program/sql/parse.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include <pg_query.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace isomer::program {

// Builds nodes straight from the stream of JSON events.
class SqlTreeBuilder {
 public:
  SqlNode root;

  bool null() { return add_number(0); }

  bool boolean(bool value) { return add_number(value ? 1 : 0); }

  bool number_integer(std::int64_t value) { return add_number(value); }

  bool number_unsigned(std::uint64_t value) {
    return add_number(static_cast<std::int64_t>(value));
  }

  bool number_float(double, const std::string&) { return false; }

  bool string(std::string& value) {
    add().text_ = std::move(value);
    return true;
  }

  bool binary(nlohmann::json::binary_t&) { return false; }

  // {"A_Expr": {..}} is one node: the inner braces are those of the node itself.
  bool start_object(std::size_t) {
    if (is_wrapped_) {
      open_.push_back(open_.back());
      is_wrapped_ = false;
    } else {
      open_.push_back(open_.empty() ? &root : &add());
    }
    return true;
  }

  bool key(std::string& name) {
    if (std::isupper(static_cast<unsigned char>(name.front())) != 0) {
      open_.back()->kind_ = name;
      is_wrapped_ = true;
    } else {
      open_.back()->names_.push_back(name);
    }
    return true;
  }

  bool end_object() {
    open_.pop_back();
    return true;
  }

  bool start_array(std::size_t) {
    open_.push_back(open_.empty() ? &root : &add());
    return true;
  }

  bool end_array() { return end_object(); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) {
    return false;
  }

  // Gives each constant that lacks its value the one that `value_at` finds at its place.
  template <class ValueAt>
  void restore_integers(const ValueAt& value_at) {
    std::vector<SqlNode*> open{&root};
    while (!open.empty()) {
      SqlNode& node = *open.back();
      open.pop_back();
      if (node.is("A_Const") && node.has("ival") && !node["ival"].has("ival")) {
        const auto place = static_cast<std::size_t>(node["location"].number());
        const auto field = std::find(node.names_.begin(), node.names_.end(), "ival");
        SqlNode& inner =
            node.children_[static_cast<std::size_t>(field - node.names_.begin())];
        inner.names_.emplace_back("ival");
        inner.children_.emplace_back().number_ = value_at(place);
      }
      for (SqlNode& child : node.children_)
        open.push_back(&child);
    }
  }

 private:
  SqlNode& add() { return open_.back()->children_.emplace_back(); }

  bool add_number(std::int64_t value) {
    add().number_ = value;
    return true;
  }

  // Children are complete before their next sibling is added, so these stay valid.
  std::vector<SqlNode*> open_;
  bool is_wrapped_ = false;
};

const SqlNode& SqlNode::none() {
  static const SqlNode node;
  return node;
}

const SqlNode& SqlNode::operator[](std::string_view field) const {
  const auto found = std::find(names_.begin(), names_.end(), field);
  if (found == names_.end()) return none();
  const auto index = static_cast<std::size_t>(found - names_.begin());
  return index < children_.size() ? children_[index] : none();
}

const SqlNode& SqlNode::item(std::size_t index) const {
  const std::vector<SqlNode>& all = items();
  return index < all.size() ? all[index] : none();
}

const std::vector<SqlNode>& SqlNode::items() const {
  static const std::vector<SqlNode> nothing;
  if (is("List")) return (*this)["items"].items();
  return names_.empty() ? children_ : nothing;
}

namespace {

constexpr std::size_t chain_max = 3000;
constexpr std::size_t nesting_max = 200;

std::uint32_t byte_of_character(std::string_view text, int cursor) {
  std::size_t byte = 0;
  for (int character = 1; character < cursor && byte < text.size(); ++character)
    byte = character_end(text, byte);
  return static_cast<std::uint32_t>(byte);
}

SqlError error_of(const PgQueryError& error, std::string_view text) {
  std::string message = error.message;
  // What follows an open quote may be the rest of the file.
  if (message.starts_with("unterminated"))
    message = message.substr(0, message.find(" at or near"));
  return {.offset = byte_of_character(text, error.cursorpos),
          .message = std::move(message)};
}

// The few fields of libpg_query's ScanResult that matter, in protobuf's wire format.
class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool at_end() const { return at_ >= bytes_.size(); }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !at_end() && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) break;
    }
    return value;
  }

  std::string_view block() {
    const std::size_t size = std::min<std::size_t>(varint(), bytes_.size() - at_);
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

// Numbers of libpg_query's enumeration Token.
constexpr std::uint64_t token_identifier = 258;
constexpr std::uint64_t token_unicode_identifier = 259;
constexpr std::uint64_t token_decimal = 260;
constexpr std::uint64_t token_string_first = 261;
constexpr std::uint64_t token_string_last = 264;
constexpr std::uint64_t token_integer = 266;
constexpr std::uint64_t token_parameter = 267;
constexpr std::uint64_t token_line_comment = 275;
constexpr std::uint64_t token_comment = 276;

SqlToken::Kind kind_of(std::uint64_t token, char first) {
  using Kind = SqlToken::Kind;
  if (token == token_identifier || token == token_unicode_identifier)
    return first == '"' ? Kind::QuotedWord : Kind::Word;
  if (token == token_decimal) return Kind::Decimal;
  if (token >= token_string_first && token <= token_string_last) return Kind::String;
  if (token == token_integer) return Kind::Integer;
  if (token == token_parameter) return Kind::Parameter;
  return token > token_comment ? Kind::Word : Kind::Sign;
}

struct RawToken {
  std::array<std::uint64_t, 6> fields{};  // start 1, end 2, token 4, keyword kind 5

  explicit RawToken(std::string_view bytes) {
    ProtobufReader reader(bytes);
    while (!reader.at_end()) {
      const std::uint64_t field = reader.varint() >> 3U;
      const std::uint64_t value = reader.varint();
      if (field < fields.size()) fields[field] = value;
    }
  }
};

std::vector<SqlToken> tokens_of(std::string_view bytes, std::string_view text) {
  std::vector<SqlToken> out;
  ProtobufReader reader(bytes);
  while (!reader.at_end()) {
    const std::uint64_t tag = reader.varint();
    if (tag != ((2U << 3U) | 2U)) {
      reader.varint();
      continue;
    }
    const RawToken raw(reader.block());
    const std::uint64_t token = raw.fields[4];
    if (token == token_line_comment || token == token_comment) continue;
    const auto first = static_cast<std::uint32_t>(raw.fields[1]);
    const auto last = static_cast<std::uint32_t>(raw.fields[2]);
    if (last > text.size() || first >= last) continue;
    out.push_back({.kind = kind_of(token, text[first]), .first = first, .last = last});
  }
  return out;
}

bool is_word(std::string_view text, const SqlToken& token, std::string_view lower) {
  const std::string_view word = text.substr(token.first, token.last - token.first);
  return token.kind == SqlToken::Kind::Word &&
         std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](unsigned char a, char b) { return std::tolower(a) == b; });
}

// A chain a + b + c .. is as deep as it is long, but a list is not.
class DepthBound {
 public:
  // Whether the text may go on with this sign (0: any other token).
  bool admits(char sign) {
    if (sign == '(' || sign == '[') {
      since_comma_.push_back(0);
      return since_comma_.size() < nesting_max;
    }
    if ((sign == ')' || sign == ']') && since_comma_.size() > 1) since_comma_.pop_back();
    if (sign == ',' || sign == ';') since_comma_.back() = 0;
    return ++since_comma_.back() < chain_max;
  }

 private:
  std::vector<std::size_t> since_comma_{0};
};

const SqlToken* first_too_deep(std::string_view text, const std::vector<SqlToken>& tokens) {
  DepthBound bound;
  std::size_t cases = 0;
  for (const SqlToken& token : tokens) {
    const char sign = token.kind == SqlToken::Kind::Sign ? text[token.first] : '\0';
    if (is_word(text, token, "case")) ++cases;
    if (!bound.admits(sign) || cases > chain_max) return &token;
  }
  return nullptr;
}

const SqlToken* begin_atomic(std::string_view text, const std::vector<SqlToken>& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if (is_word(text, tokens[i], "begin") && is_word(text, tokens[i + 1], "atomic"))
      return &tokens[i];
  return nullptr;
}

// The integer at a place, with any parentheses and signs before it: PostgreSQL's grammar
// takes -(3), - 3 and -(-(-3)) for constants.
std::int64_t signed_integer_at(std::string_view text, const std::vector<SqlToken>& tokens,
                               std::size_t place) {
  auto token = std::ranges::lower_bound(tokens, place, {}, &SqlToken::first);
  bool is_negative = false;
  for (; token != tokens.end() && token->kind == SqlToken::Kind::Sign; ++token)
    is_negative = is_negative != (text[token->first] == '-');
  std::int64_t value = 0;
  if (token != tokens.end() && token->kind == SqlToken::Kind::Integer)
    std::from_chars(text.data() + token->first, text.data() + token->last, value);
  return is_negative ? -value : value;
}

// PostgreSQL's scanner takes time quadratic in the length of an operator.
std::optional<std::size_t> long_operator(std::string_view text) {
  constexpr std::string_view signs = "+-*/<>=~!@#%^&|`?";
  constexpr std::size_t length_max = 5000;
  std::size_t at = text.find_first_of(signs);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_not_of(signs, at), text.size());
    if (end - at > length_max) return at;
    at = text.find_first_of(signs, end);
  }
  return std::nullopt;
}

}  // namespace

tl::expected<std::vector<SqlToken>, SqlError> scan_sql(const std::string& text) {
  if (const auto place = long_operator(text))
    return tl::unexpected(
        SqlError{static_cast<std::uint32_t>(*place), "operator too long"});
  const PgQueryScanResult result = pg_query_scan(text.c_str());
  tl::expected<std::vector<SqlToken>, SqlError> out;
  if (result.error != nullptr)
    out = tl::unexpected(error_of(*result.error, text));
  else
    out = tokens_of({result.pbuf.data, result.pbuf.len}, text);
  pg_query_free_scan_result(result);
  return out;
}

tl::expected<std::vector<SqlNode>, SqlError> parse_sql_text(
    const std::string& text, const std::vector<SqlToken>& tokens) {
  if (const SqlToken* token = first_too_deep(text, tokens))
    return tl::unexpected(
        SqlError{token->first, "this is nested too deeply, or too long a chain"});
  if (const SqlToken* token = begin_atomic(text, tokens))
    return tl::unexpected(
        SqlError{token->first,
                 "BEGIN ATOMIC is not supported; write the body as a string: AS $$ .. $$"});
  const PgQueryParseResult result = pg_query_parse(text.c_str());
  tl::expected<std::vector<SqlNode>, SqlError> out;
  if (result.error != nullptr) {
    out = tl::unexpected(error_of(*result.error, text));
  } else {
    SqlTreeBuilder builder;
    nlohmann::json::sax_parse(result.parse_tree, &builder);
    builder.restore_integers(
        [&](std::size_t place) { return signed_integer_at(text, tokens, place); });
    out = builder.root["stmts"].items();
  }
  pg_query_free_parse_result(result);
  return out;
}

tl::expected<std::string, SqlError> parse_plpgsql_text(const std::string& text) {
  const auto tokens = scan_sql(text);
  if (!tokens) return tl::unexpected(tokens.error());
  if (const SqlToken* token = begin_atomic(text, *tokens))
    return tl::unexpected(SqlError{token->first, "BEGIN ATOMIC"});
  const PgQueryPlpgsqlParseResult result = pg_query_parse_plpgsql(text.c_str());
  tl::expected<std::string, SqlError> out;
  if (result.error != nullptr)
    out = tl::unexpected(error_of(*result.error, text));
  else
    out = std::string(result.plpgsql_funcs);
  pg_query_free_plpgsql_parse_result(result);
  return out;
}

}  // namespace isomer::program
