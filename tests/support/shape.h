// SPDX-License-Identifier: MIT
// The shape of a JSON document, written as JSON itself:
//   "string", "number", "count" (a whole number from 0), "boolean", "scalar" (a string or a
//   number), or one of several words: "found|none|unknown".  "count or null" may be null.
//   All words of an enumeration should be seen some time, except those of "one of a|b".
//   [shape]         a list of these
//   {"name": shape} an object with at least these members; {"name?": shape} may lack it
//   {"*": shape}    an object with any names, but at least one
// A name that stands in `definitions` is the shape given there.
#pragma once

#include <map>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

namespace isomer::test {

using Json = nlohmann::json;

class Shape {
 public:
  explicit Shape(Json shape, Json definitions = Json::object())
      : shape_(std::move(shape)), definitions_(std::move(definitions)) {}

  // What differs from the shape, a line each; empty if nothing does.
  std::string mismatches(const Json& document) {
    mismatches_.clear();
    compare(document, shape_, "$");
    return mismatches_;
  }

  // The words of enumerations that no document had so far, a line each.
  [[nodiscard]] std::string unseen_words() const {
    std::string out;
    for (const auto& [path, words] : unseen_)
      for (const std::string& word : words)
        out += path + ": " + word + "\n";
    return out;
  }

 private:
  void complain(const std::string& path, const std::string& expected, const Json& found) {
    mismatches_ +=
        path + ": expected " + expected + ", found " + found.dump().substr(0, 100) + "\n";
  }

  void compare(const Json& value, const Json& shape, const std::string& path) {
    if (shape.is_string())
      compare_word(value, shape.get<std::string>(), path);
    else if (shape.is_array())
      compare_list(value, shape.front(), path);
    else
      compare_object(value, shape, path);
  }

  void compare_list(const Json& value, const Json& shape, const std::string& path) {
    if (!value.is_array()) return complain(path, "a list", value);
    for (const Json& item : value)
      compare(item, shape, path + "[]");
  }

  void compare_object(const Json& value, const Json& shape, const std::string& path) {
    if (!value.is_object()) return complain(path, "an object", value);
    for (const auto& [name, member] : shape.items()) {
      const bool is_optional = name.ends_with('?');
      const std::string key = is_optional ? name.substr(0, name.size() - 1) : name;
      if (key == "*") {
        if (value.empty()) complain(path, "at least one member", value);
        for (const Json& each : value)
          compare(each, member, path + ".*");
      } else if (value.contains(key)) {
        compare(value[key], member, path + "." + key);
      } else if (!is_optional) {
        complain(path, "a member " + key, value);
      }
    }
  }

  void compare_word(const Json& value, std::string shape, const std::string& path) {
    if (const std::size_t end = shape.find(" or null"); end != std::string::npos) {
      if (value.is_null()) return;
      shape.resize(end);
    }
    if (definitions_.contains(shape)) return compare(value, definitions_[shape], path);
    if (shape.find('|') != std::string::npos) return compare_choice(value, shape, path);
    const bool fits = shape == "string"    ? value.is_string()
                      : shape == "number"  ? value.is_number()
                      : shape == "count"   ? value.is_number_unsigned()
                      : shape == "boolean" ? value.is_boolean()
                      : shape == "scalar"  ? value.is_string() || value.is_number()
                                           : value == shape;
    if (!fits) complain(path, shape, value);
  }

  void compare_choice(const Json& value, const std::string& shape,
                      const std::string& path) {
    static const std::string untracked = "one of ";
    const bool is_tracked = !shape.starts_with(untracked);
    std::istringstream stream(is_tracked ? shape : shape.substr(untracked.size()));
    std::set<std::string> words;
    for (std::string word; std::getline(stream, word, '|');)
      words.insert(word);
    if (is_tracked) unseen_.try_emplace(path, words);
    if (!value.is_string() || !words.contains(value.get<std::string>()))
      return complain(path, shape, value);
    if (is_tracked) unseen_[path].erase(value.get<std::string>());
  }

  Json shape_;
  Json definitions_;
  std::string mismatches_;
  std::map<std::string, std::set<std::string>> unseen_;
};

}  // namespace isomer::test
