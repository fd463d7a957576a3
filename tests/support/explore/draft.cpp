// SPDX-License-Identifier: MIT
#include "support/explore/draft.h"

#include <functional>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/random.h"
#include "program/litmus/litmus.h"

namespace isomer::explore {
namespace {

void print(const std::vector<Draft::Statement>& block, std::size_t depth,
           std::string& out) {
  const std::string indent(2 * depth, ' ');
  for (const Draft::Statement& statement : block) {
    out += indent + statement.head;
    if (statement.has_body) {
      out += " {\n";
      print(statement.body, depth + 1, out);
      out += indent + "}";
      if (!statement.otherwise.empty()) {
        out += " else {\n";
        print(statement.otherwise, depth + 1, out);
        out += indent + "}";
      }
    }
    out += "\n";
  }
}

using Block = std::vector<Draft::Statement>;

// The drafts that have one thing less.
struct Cuts {
  const Draft& draft;
  std::vector<Draft> out;

  // `edit` gets the block of a copy that corresponds to the one at hand.
  using Locate = std::function<Block&(Draft&)>;

  void cut_block(const Block& block, const Locate& locate) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      Draft without = draft;
      Block& copy = locate(without);
      copy.erase(copy.begin() + static_cast<std::ptrdiff_t>(i));
      out.push_back(std::move(without));
      if (!block[i].has_body) continue;
      cut_to_body(block[i].body, i, locate);
      if (!block[i].otherwise.empty()) cut_to_body(block[i].otherwise, i, locate);
      cut_block(block[i].body, [&, i](Draft& d) -> Block& { return locate(d)[i].body; });
      cut_block(block[i].otherwise,
                [&, i](Draft& d) -> Block& { return locate(d)[i].otherwise; });
    }
  }

  // A conditional by one of its branches.
  void cut_to_body(const Block& body, std::size_t i, const Locate& locate) {
    Draft without = draft;
    Block& copy = locate(without);
    const auto at = copy.erase(copy.begin() + static_cast<std::ptrdiff_t>(i));
    copy.insert(at, body.begin(), body.end());
    out.push_back(std::move(without));
  }

  void cut_transactions() {
    for (std::size_t s = 0; s < draft.sessions.size(); ++s)
      for (std::size_t t = 0; t < draft.sessions[s].size(); ++t) {
        Draft without = draft;
        auto& session = without.sessions[s];
        session.erase(session.begin() + static_cast<std::ptrdiff_t>(t));
        if (session.empty())
          without.sessions.erase(without.sessions.begin() + static_cast<std::ptrdiff_t>(s));
        out.push_back(std::move(without));
      }
  }

  void cut_lines(std::vector<std::string> Draft::* lines) {
    for (std::size_t i = 0; i < (draft.*lines).size(); ++i) {
      Draft without = draft;
      (without.*lines).erase((without.*lines).begin() + static_cast<std::ptrdiff_t>(i));
      out.push_back(std::move(without));
    }
  }

  std::vector<Draft> all() {
    cut_lines(&Draft::asserts);
    cut_transactions();
    for (std::size_t s = 0; s < draft.sessions.size(); ++s)
      for (std::size_t t = 0; t < draft.sessions[s].size(); ++t)
        cut_block(draft.sessions[s][t].body,
                  [=](Draft& d) -> Block& { return d.sessions[s][t].body; });
    cut_lines(&Draft::initial);
    return std::move(out);
  }
};

}  // namespace

std::string text(const Draft& draft) {
  std::string out = "program \"random\"\ninit {";
  for (const std::string& line : draft.initial)
    out += fmt::format(" {};", line);
  out += " }\n";
  for (const auto& session : draft.sessions) {
    out += "session {\n";
    for (const Draft::Transaction& transaction : session) {
      out += fmt::format("  begin \"{}\"\n", transaction.label);
      print(transaction.body, 2, out);
      out += "  commit;\n";
    }
    out += "}\n";
  }
  for (const std::string& assert : draft.asserts)
    out += fmt::format("assert {};\n", assert);
  return out;
}

std::vector<Draft> smaller(const Draft& draft) {
  return Cuts{.draft = draft, .out = {}}.all();
}

RandomSpace random_space(std::uint64_t seed, std::size_t histories_max) {
  const std::size_t histories_min = seed % 10 == 0 ? 1 : 6;
  for (Random random(seed);;) {
    Draft draft = random_draft(random.next());
    auto parsed = program::parse_litmus("random.txn", text(draft));
    ISOMER_ASSERT(parsed.has_value());
    auto program = std::make_shared<const Program>(*std::move(parsed));
    auto space = brute_force(*program, {.count_max = histories_max});
    if (space && space->histories.size() >= histories_min)
      return {std::move(draft), std::move(program), *std::move(space)};
  }
}

}  // namespace isomer::explore
