// SPDX-License-Identifier: MIT
// Between two texts of which the lower is no prefix of the upper, everything that begins
// with the lower fits.  Between s and s + w only s + v fits, with v before w; if w begins
// with the least printable character, so does v.
#include "logic/text_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace isomer::logic {
namespace {

constexpr std::string_view singles =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// a, b, c and so on where they fit.
std::vector<std::string> single_characters(const std::string& lower,
                                           const std::optional<std::string>& upper,
                                           std::size_t count) {
  std::vector<std::string> letters;
  std::vector<std::string> result;
  for (const char c : singles) {
    std::string single(1, c);
    if (single <= lower || (upper && single >= *upper)) continue;
    if (c >= 'a') letters.push_back(single);
    result.push_back(std::move(single));
  }
  if (letters.size() >= count) result = std::move(letters);
  if (result.size() > count) result.resize(count);
  return result;
}

// The start of texts between the two: whatever follows it.
std::optional<std::string> stem(const std::string& lower,
                                const std::optional<std::string>& upper) {
  if (lower.empty() && (!upper || *upper > "u")) return "t";
  if (!upper || !upper->starts_with(lower)) return lower;
  std::string result = lower;
  std::size_t at = lower.size();
  for (; at < upper->size() && (*upper)[at] == ' '; ++at)
    result += ' ';
  if (at == upper->size()) return std::nullopt;
  const auto limit = static_cast<unsigned char>((*upper)[at]);
  if (limit <= ' ') return std::nullopt;
  const auto* const good =
      std::ranges::find_if(singles.rbegin(), singles.rend(), [limit](char c) {
        return static_cast<unsigned char>(c) < limit;
      }).base();
  if (good != singles.begin()) return result + *(good - 1);
  return result + static_cast<char>(std::max<int>(' ', limit - 1));
}

}  // namespace

std::optional<std::vector<std::string>> texts_between(
    const std::string& lower, const std::optional<std::string>& upper, std::size_t count) {
  std::vector<std::string> result = single_characters(lower, upper, count);
  if (result.size() == count) return result;
  const std::optional<std::string> start = stem(lower, upper);
  if (!start) return std::nullopt;
  result.clear();
  const std::size_t width = std::to_string(count).size();
  for (std::size_t i = 1; i <= count; ++i)
    result.push_back(fmt::format("{}{:0{}}", *start, i, width));
  return result;
}

TextOrder::TextOrder(std::vector<std::string> constants) : texts_{{Rational{}, ""}} {
  std::ranges::sort(constants);
  Rational next;
  for (const std::string& constant : constants) {
    if (!constant.empty() && !ranks_.contains(constant)) ++next.numerator;
    ranks_.emplace(constant, next);
    texts_.emplace(next, constant);
  }
}

std::vector<Rational> TextOrder::gaps() const {
  std::vector<Rational> result;
  for (auto lower = ranks_.begin(); lower != ranks_.end(); ++lower)
    if (const auto upper = std::next(lower);
        upper != ranks_.end() && !texts_between(lower->first, upper->first, 1))
      result.push_back(lower->second);
  return result;
}

Rational TextOrder::rank(const std::string& constant) const {
  return ranks_.at(constant);
}

void TextOrder::place(std::vector<Rational> numbers) {
  std::ranges::sort(numbers);
  const auto rest = std::ranges::unique(numbers);
  numbers.erase(rest.begin(), rest.end());
  std::erase_if(numbers,
                [this](const Rational& number) { return texts_.contains(number); });
  for (std::size_t begin = 0; begin < numbers.size();) {
    const auto above = texts_.upper_bound(numbers[begin]);
    const auto below = std::prev(above);
    std::size_t end = begin + 1;
    while (end < numbers.size() && (above == texts_.end() || numbers[end] < above->first))
      ++end;
    const bool is_known = below->second && (above == texts_.end() || above->second);
    const auto found =
        is_known ? texts_between(*below->second,
                                 above == texts_.end() ? std::nullopt : above->second,
                                 end - begin)
                 : std::nullopt;
    for (std::size_t i = begin; i < end; ++i)
      texts_.emplace_hint(above, numbers[i],
                          found ? std::optional((*found)[i - begin]) : std::nullopt);
    begin = end;
  }
}

std::optional<std::string> TextOrder::text(const Rational& number) {
  place({number});
  return texts_.at(number);
}

}  // namespace isomer::logic
