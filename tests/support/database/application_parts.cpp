// SPDX-License-Identifier: MIT
#include "support/database/application_parts.h"

#include <fmt/format.h>

namespace isomer::test {

std::string ApplicationParts::sql() const {
  std::string out = fmt::format(fmt::runtime(tables), on_delete, on_update);
  for (const std::string& index : indexes)
    out += index + ";\n";
  for (std::size_t i = 0; i < sessions.size(); ++i)
    for (std::size_t j = 0; j < sessions[i].calls.size(); ++j) {
      if (sessions[i].is_script) continue;
      out += fmt::format(
          "CREATE PROCEDURE p{}{}() LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN\n", i, j);
      for (const std::string& statement : sessions[i].calls[j])
        out += fmt::format("  {};\n", statement);
      out += "END $$;\n";
    }
  return out;
}

std::string ApplicationParts::scenario() const {
  std::string out;
  for (std::size_t i = 0; i < sessions.size(); ++i)
    if (sessions[i].is_immediate) out += static_cast<char>('A' + i);
  out = fmt::format("# immediate: {}\napp = \"app.sql\"\n[init]\nsql = \"{}\"\n", out,
                    fmt::join(rows, "; "));
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const Session& session = sessions[i];
    out += fmt::format("[[session]]\nname = \"{}\"\n", static_cast<char>('A' + i));
    if (session.retries) out += "retry = 1\n";
    std::vector<std::string> parts;
    for (std::size_t j = 0; j < session.calls.size(); ++j)
      parts.push_back(session.is_script ? fmt::format("BEGIN;\n{};\nCOMMIT;\n",
                                                      fmt::join(session.calls[j], ";\n"))
                                        : fmt::format("\"p{}{}()\"", i, j));
    out += session.is_script ? fmt::format("script = '''\n{}'''\n", fmt::join(parts, ""))
                             : fmt::format("calls = [{}]\n", fmt::join(parts, ", "));
  }
  return out;
}

std::vector<ApplicationParts> smaller(const ApplicationParts& application) {
  std::vector<ApplicationParts> out;
  const auto without = [&](auto part) {
    ApplicationParts& less = out.emplace_back(application);
    part(less);
  };
  for (std::size_t i = 0; i < application.sessions.size(); ++i) {
    const auto place = static_cast<std::ptrdiff_t>(i);
    const auto& calls = application.sessions[i].calls;
    if (application.sessions.size() > 1)
      without([&](auto& less) { less.sessions.erase(less.sessions.begin() + place); });
    for (std::size_t j = 0; j < calls.size(); ++j) {
      const auto second = static_cast<std::ptrdiff_t>(j);
      if (calls.size() > 1)
        without([&](auto& less) {
          less.sessions[i].calls.erase(less.sessions[i].calls.begin() + second);
        });
      for (std::size_t k = 0; k < calls[j].size() && calls[j].size() > 1; ++k)
        without([&](auto& less) {
          auto& statements = less.sessions[i].calls[j];
          statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(k));
        });
    }
    if (application.sessions[i].retries)
      without([&](auto& less) { less.sessions[i].retries = false; });
    if (application.sessions[i].is_immediate)
      without([&](auto& less) { less.sessions[i].is_immediate = false; });
  }
  for (std::size_t i = 0; i < application.rows.size(); ++i)
    without([&](auto& less) {
      less.rows.erase(less.rows.begin() + static_cast<std::ptrdiff_t>(i));
    });
  for (std::size_t i = 0; i < application.indexes.size(); ++i)
    without([&](auto& less) {
      less.indexes.erase(less.indexes.begin() + static_cast<std::ptrdiff_t>(i));
    });
  for (const bool is_delete : {true, false}) {
    const std::string& action = is_delete ? application.on_delete : application.on_update;
    if (action != "NO ACTION")
      without(
          [&](auto& less) { (is_delete ? less.on_delete : less.on_update) = "NO ACTION"; });
  }
  return out;
}

}  // namespace isomer::test
