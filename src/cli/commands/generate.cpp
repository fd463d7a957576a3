// SPDX-License-Identifier: MIT
// isomer generate: random histories for tests and benchmarks.
#include <limits>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "history/builder.h"
#include "history/generate.h"

namespace isomer::cli {
namespace {

using history::GenerateOptions;
using history::Injection;

std::vector<std::string> mode_names() {
  return {"serial", "si", "cc", "rc", "broken"};  // in the order of history::Mode
}

std::vector<std::string> skew_names() {
  return {"uniform", "zipf", "hotspot"};  // in the order of history::Skew
}

std::vector<std::string> injection_names() {
  std::vector<std::string> out;
  for (const Injection injection : history::injections())
    out.emplace_back(history::name(injection));
  return out;
}

constexpr Option generate_options[] = {
    {.name = "--mode",
     .argument = "M",
     .help = "How the transactions run: one after another (serial), under snapshot "
             "isolation (si, the default), on replicas with causal delivery (cc), reading "
             "committed states (rc), or serially with one violation put in (broken).",
     .completes = Completes::Choices,
     .choices = mode_names},
    {.name = "--sessions", .argument = "N", .help = "Sessions (10)."},
    {.name = "--transactions",
     .argument = "N",
     .help = "Transactions in all sessions together (1000)."},
    {.name = "--operations", .argument = "N", .help = "Operations of a transaction (8)."},
    {.name = "--keys", .argument = "N", .help = "Keys (1000)."},
    {.name = "--reads",
     .argument = "F",
     .help = "The fraction of operations that read, from 0 to 1 (0.5)."},
    {.name = "--skew",
     .argument = "S",
     .help =
         "Which keys are popular: all alike (uniform, the default), few of them (zipf), "
         "or a fifth of them (hotspot).",
     .completes = Completes::Choices,
     .choices = skew_names},
    {.name = "--aborts",
     .argument = "F",
     .help = "The fraction of transactions that abort (0)."},
    {.name = "--unknowns",
     .argument = "F",
     .help = "The fraction of transactions whose outcome nobody knows (0)."},
    {.name = "--values",
     .argument = "N",
     .help =
         "Write only the values 1 to N, so that reads become ambiguous. 0, the default: "
         "every write is unique."},
    {.name = "--inject",
     .argument = "NAME",
     .help =
         "The violation to put in; implies --mode broken. Without it, the seed chooses.",
     .completes = Completes::Choices,
     .choices = injection_names},
    {.name = "--seed",
     .argument = "N",
     .help = "The same seed and options give the same history (1)."},
    {.name = "--to",
     .argument = "FORMAT",
     .help = "The format to write (plume).",
     .completes = Completes::Choices,
     .choices = writable_format_names},
    output_option("Where to write; standard output without it."),
};

constexpr Example generate_examples[] = {
    {"isomer generate --inject long-fork --transactions 50 --to hist",
     "a small history with one flaw"},
    {"isomer generate --mode si --transactions 100000 --seed 7 -o big.txt",
     "a large one that snapshot isolation allows"},
};

std::uint32_t count(OptionReader& reader, std::string_view name, std::uint32_t otherwise,
                    std::uint32_t minimum) {
  constexpr auto maximum = history::HistoryBuilder::count_max;
  return static_cast<std::uint32_t>(reader.integer(name, otherwise, minimum, maximum));
}

std::optional<Injection> injection_in(const Arguments& arguments, OptionReader& reader) {
  if (!arguments.has("--inject")) return std::nullopt;
  if (arguments.value("--mode", "broken") != "broken")
    reader.fail(fmt::format("--inject needs --mode broken, not --mode {}",
                            arguments.value("--mode")));
  return history::injections()[reader.choice("--inject", injection_names(), 0)];
}

GenerateOptions options_in(const Arguments& arguments, OptionReader& reader) {
  const GenerateOptions otherwise;
  GenerateOptions out{
      .mode = static_cast<history::Mode>(
          reader.choice("--mode", mode_names(), static_cast<std::size_t>(otherwise.mode))),
      .sessions = count(reader, "--sessions", otherwise.sessions, 1),
      .transactions = count(reader, "--transactions", otherwise.transactions, 0),
      .operations = count(reader, "--operations", otherwise.operations, 1),
      .keys = count(reader, "--keys", otherwise.keys, 1),
      .reads = reader.fraction("--reads", otherwise.reads),
      .skew = static_cast<history::Skew>(
          reader.choice("--skew", skew_names(), static_cast<std::size_t>(otherwise.skew))),
      .aborts = reader.fraction("--aborts", otherwise.aborts),
      .unknowns = reader.fraction("--unknowns", otherwise.unknowns),
      .values = count(reader, "--values", otherwise.values, 0),
      .injection = injection_in(arguments, reader),
      .seed = reader.integer("--seed", otherwise.seed, 0,
                             std::numeric_limits<std::uint64_t>::max())};
  if (out.injection) out.mode = history::Mode::Broken;
  if (out.aborts + out.unknowns > 1)
    reader.fail("--aborts and --unknowns together exceed 1");
  if (std::uint64_t{out.transactions} * out.operations > history::HistoryBuilder::count_max)
    reader.fail(fmt::format("{} transactions of {} operations are more than {} operations",
                            out.transactions, out.operations,
                            history::HistoryBuilder::count_max));
  return out;
}

int run_generate(const Arguments& arguments) {
  OptionReader reader(arguments);
  const GenerateOptions options = options_in(arguments, reader);
  reader.choice("--to", writable_format_names(), 0);
  if (reader.error()) return usage_failure("generate", *reader.error());
  const Progress progress(arguments.budget(), "generating a history");
  return write_as("generate", history::generate(options), arguments.value("--to", "plume"),
                  arguments.value("--output", "-"));
}

}  // namespace

constinit const Command generate_command = {
    .name = "generate",
    .purpose = "Prepare histories",
    .summary = "Make a random history, for tests and benchmarks",
    .synopsis = "[--mode M] [--transactions N] [OPTIONS] [-o FILE]",
    .description =
        "Makes a random history that a chosen kind of database could have produced, or one "
        "with exactly one flaw. The same options give the same history on every machine.",
    .options = generate_options,
    .examples = generate_examples,
    .run = run_generate,
};

}  // namespace isomer::cli
