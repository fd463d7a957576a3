// SPDX-License-Identifier: MIT
#include "program/scenario/scenario.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "program/scenario/sql.h"
#include "program/scenario/write.h"

namespace isomer::program {
namespace {

WorkloadShape shape_of(WorkloadSize size) {
  return {.sessions = 3, .calls = size == WorkloadSize::Small ? 4U : 8U};
}

class Drawer {
 public:
  Drawer(const Program& program, std::uint64_t seed) : program_(program), random_(seed) {
    for (const WorkloadType& entry : program.workload)
      weight_total_ += entry.weight;
  }

  [[nodiscard]] bool can_draw() const { return weight_total_ > 0; }

  std::string call() {
    const WorkloadType& entry = pick();
    const DrawContext before{random_, {}, calls_of_type_[entry.type]++, calls_++};
    std::vector<std::string> arguments;
    for (const Draw& draw : entry.arguments) {
      DrawContext context = before;
      context.arguments = arguments;
      arguments.push_back(drawn(draw, context));
    }
    return fmt::format("{}({})", sql_name(program_.types[entry.type].name),
                       fmt::join(arguments, ", "));
  }

 private:
  const WorkloadType& pick() {
    std::uint64_t left = random_.below(weight_total_);
    std::size_t entry = 0;
    while (left >= program_.workload[entry].weight)
      left -= program_.workload[entry++].weight;
    return program_.workload[entry];
  }

  const Program& program_;
  Random random_;
  std::uint64_t weight_total_ = 0;
  std::uint64_t calls_ = 0;
  std::map<std::uint32_t, std::uint64_t> calls_of_type_;
};

}  // namespace

std::vector<std::vector<std::string>> workload_calls(const Program& program,
                                                     WorkloadSize size,
                                                     std::uint64_t seed) {
  return workload_calls(program, shape_of(size), seed);
}

Expected<Program> with_workload(const Program& program, WorkloadSize size,
                                std::uint64_t seed) {
  return with_workload(program, shape_of(size), seed);
}

std::vector<std::vector<std::string>> workload_calls(const Program& program,
                                                     WorkloadShape shape,
                                                     std::uint64_t seed) {
  Drawer drawer(program, seed);
  if (!drawer.can_draw()) return {};
  std::vector<std::vector<std::string>> sessions(shape.sessions);
  for (std::vector<std::string>& calls : sessions)
    for (std::size_t i = 0; i < shape.calls; ++i)
      calls.push_back(drawer.call());
  return sessions;
}

Expected<Program> with_workload(const Program& program, WorkloadShape shape,
                                std::uint64_t seed) {
  Program out = program;
  out.sessions.clear();
  Diagnostics errors;
  Reporter reporter(out, errors);
  ScenarioSql sql{.program = out, .reporter = reporter, .symbols = {}, .values = nullptr};
  for (const std::vector<std::string>& texts : workload_calls(program, shape, seed)) {
    Session session;
    session.name = fmt::format("s{}", out.sessions.size() + 1);
    for (const std::string& text : texts) {
      const auto entry = std::ranges::find_if(program.workload, [&](const WorkloadType& w) {
        return text.starts_with(sql_name(program.types[w.type].name) + "(");
      });
      std::optional<Call> call =
          read_call(sql, {.text = text, .at = entry->at, .inside = {}});
      if (!call) return tl::unexpected(std::move(errors));
      session.calls.push_back(std::move(*call));
    }
    out.sessions.push_back(std::move(session));
  }
  return out;
}

}  // namespace isomer::program
