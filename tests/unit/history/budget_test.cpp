// SPDX-License-Identifier: MIT
// Reading ends when its budget does, in whatever it is doing.
#include <cstdio>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/budget.h"
#include "history/builder.h"
#include "history/formats.h"

namespace isomer::history {
namespace {

constexpr double seconds_given = 0.2;
constexpr double seconds_max = 4;  // a machine may be busy

// A pipe in the folder for temporary files, gone afterwards.
class Pipe {
 public:
  Pipe() : path_(testing::TempDir() + "isomer_pipe_" + std::to_string(::getpid())) {
    std::remove(path_.c_str());
    is_made_ = ::mkfifo(path_.c_str(), 0600) == 0;
  }

  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  ~Pipe() { std::remove(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] bool is_made() const { return is_made_; }

 private:
  std::string path_;
  bool is_made_ = false;
};

TEST(ReadBudget, ends_the_wait_for_a_pipe_that_nobody_writes_to) {
  const Pipe pipe;
  ASSERT_TRUE(pipe.is_made());
  const Stopwatch watch;
  const auto read = read_history_within(Budget(seconds_given), pipe.path(), {});
  ASSERT_TRUE(read.has_value()) << render(read.error());
  EXPECT_FALSE(read->has_value());
  EXPECT_LT(watch.seconds(), seconds_max);
}

TEST(ReadBudget, ends_the_reading_of_a_file_without_an_end) {
  const Stopwatch watch;
  const auto read = read_history_within(Budget(seconds_given), "/dev/zero", {});
  ASSERT_TRUE(read.has_value()) << render(read.error());
  EXPECT_FALSE(read->has_value());
  EXPECT_LT(watch.seconds(), seconds_max);
}

TEST(ReadBudget, does_no_harm_to_a_pipe_that_somebody_writes_to) {
  const Pipe pipe;
  ASSERT_TRUE(pipe.is_made());
  const std::string command =
      "(sleep 0.2; printf 's1: { w(x)=1 }\\n'; sleep 0.2; printf 's2: { r(x)=1 }\\n') > '" +
      pipe.path() + "' &";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto read = read_history_within(Budget(20.0), pipe.path(), {});
  ASSERT_TRUE(read.has_value()) << render(read.error());
  ASSERT_TRUE(read->has_value());
  EXPECT_EQ((*read)->history.session_count(), 2U);
}

// Four million reads, each with thousands of possible writers.
TEST(ReadBudget, ends_the_search_for_writers_where_values_repeat) {
  HistoryBuilder builder;
  const KeyId x = builder.key("x");
  for (std::int64_t t = 0; t < 20'000; ++t) {
    const auto txn = builder.begin(builder.session(t % 10));
    for (std::int64_t i = 0; i < 20; ++i)
      builder.read(txn, x, Value::integer((t + i) % 5));
    builder.write(txn, x, Value::integer(t % 5));
  }
  const Stopwatch watch;
  builder.build(Budget(seconds_given));
  EXPECT_LT(watch.seconds(), seconds_max);
}

// A history that takes seconds to read, in each format that we write.
TEST(ReadBudget, ends_every_reader) {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  for (std::int64_t t = 1; t <= 100'000; ++t) {
    const auto txn = builder.begin(builder.session(t % 10));
    builder.write(txn, builder.key(t % 1000), Value::integer(t));
  }
  const History history = builder.build();
  const std::string path = testing::TempDir() + "isomer_read_" + std::to_string(::getpid());
  for (const Format& format : formats()) {
    if (!format.is_writable) continue;
    const auto written = write_history(history, format.name);
    ASSERT_TRUE(written.has_value()) << format.name;
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    std::fwrite(written->bytes.data(), 1, written->bytes.size(), file);
    std::fclose(file);
    const ReadOptions options{.format = std::string(format.name)};
    const Stopwatch whole;
    ASSERT_TRUE(read_history(path, options).has_value()) << format.name;
    const double all = whole.seconds();
    const Stopwatch watch;
    const auto read = read_history_within(Budget(0.001), path, options);
    ASSERT_TRUE(read.has_value()) << format.name;
    EXPECT_FALSE(read->has_value()) << format.name;
    EXPECT_LT(watch.seconds(), all / 2 + 0.05) << format.name;
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace isomer::history
