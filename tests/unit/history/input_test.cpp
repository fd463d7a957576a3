// SPDX-License-Identifier: MIT
#include "history/input.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "unit/history/reading.h"

namespace isomer::history {
namespace {

namespace fs = std::filesystem;

// A directory that goes away with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("isomer_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }

  ~Folder() { fs::remove_all(path_); }

  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string add(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return (path_ / name).string();
  }

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

std::string gzip(std::string text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::string read_as_hist(const std::string& path) {
  const auto read = read_history(path, {});
  if (!read) return render(read.error());
  return write_history(read->history, "hist")->bytes;
}

TEST(Input, unpacks_gzip_and_zstd_whatever_the_name) {
  const Folder folder;
  const std::string text = "a: { w(x)=1 }\n";
  EXPECT_EQ(read_as_hist(folder.add("a.hist", text)), text);
  EXPECT_EQ(read_as_hist(folder.add("b.hist", gzip(text))), text);
  EXPECT_EQ(read_as_hist(folder.add("c", zstd(text))), text);
}

TEST(Input, unpacks_streams_one_after_another) {
  const std::string one = "a: { w(x)=1 }\n";
  const std::string two = "b: { w(x)=2 }\n";
  EXPECT_EQ(as_hist(gzip(one) + gzip(two), ""), one + two);
  EXPECT_EQ(as_hist(zstd(one) + zstd(two), ""), one + two);
}

TEST(Input, unpacks_more_than_one_buffer) {
  std::string text = "a:";
  for (int i = 1; i <= 200000; ++i)
    text += " { w(x)=" + std::to_string(i) + " }";
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    const auto read = parse_history(packed, "input", {});
    ASSERT_TRUE(read);
    EXPECT_EQ(read->history.txn_count(), 200001U);
  }
}

TEST(Input, refuses_what_unpacks_to_far_too_much) {
  const std::string megabyte(std::size_t{1} << 20, '\n');
  for (const std::string& packed : {zstd(megabyte), gzip(megabyte)}) {
    std::string bomb;
    for (int i = 0; i < 257; ++i)
      bomb += packed;
    EXPECT_THAT(as_hist(bomb, ""), testing::HasSubstr("unpacks to more than 256 MiB"));
  }
}

TEST(Input, reports_what_cannot_be_read) {
  EXPECT_EQ(read_as_hist("/nowhere/at_all.hist"),
            "/nowhere/at_all.hist: error: there is no such file\n");
  const Folder folder;
  EXPECT_EQ(read_as_hist(folder.path()),
            folder.path() +
                ": error: a directory must hold Cobra logs (*.log) or dbcop's "
                "history.bincode\n");
}

TEST(Input, orders_files_as_people_count) {
  const Folder folder;
  for (const std::string name : {"T10.log", "T9.log", "T1.log", "a.log", "T01.log"})
    folder.add(name, "");
  EXPECT_THAT(*files_in(folder.path()),
              testing::ElementsAre("T01.log", "T1.log", "T9.log", "T10.log", "a.log"));
}

std::string record(char type, std::initializer_list<std::uint64_t> numbers) {
  std::string bytes(1, type);
  for (const std::uint64_t number : numbers)
    for (int shift = 56; shift >= 0; shift -= 8)
      bytes.push_back(static_cast<char>((number >> shift) & 0xff));
  return bytes;
}

TEST(Cobra, reads_a_directory_of_logs_in_order_of_names) {
  const Folder folder;
  folder.add("T10.log", record('S', {9}) + record('R', {7, 5, 0x11, 0}) +
                            record('R', {0, 0xbebeebee, 0x12, 0}) +
                            record('R', {0, 0x66666666, 0x12, 0}) + record('C', {9}));
  folder.add("T2.log", record('S', {7}) + record('W', {5, 0x11, 0xff}) + record('C', {7}) +
                           record('S', {8}) + record('W', {6, ~0ULL, 0}));
  folder.add("T2.debug", "not a log");
  const auto read = read_history(folder.path(), {});
  ASSERT_TRUE(read) << render(read.error());
  EXPECT_EQ(write_history(read->history, "hist")->bytes,
            "init *=nil\nT2: { w(17)=5 } { w(18446744073709551615)=6 } unknown\n"
            "T10: { r(17)=5 r(18)=nil }\n");
  EXPECT_THAT(read->warnings,
              testing::ElementsAre("1 reads of Cobra's own bookkeeping were left out"));
}

TEST(Cobra, finds_out_whether_records_carry_times) {
  EXPECT_EQ(
      as_hist(record('S', {7, 100}) + record('W', {5, 0x11, 0xff}) + record('C', {7, 101}),
              "cobra"),
      "init *=nil\ninput: { w(17)=5 }\n");
  EXPECT_EQ(
      as_hist(record('S', {7}) + record('W', {5, 0x11, 0xff}) + record('A', {7}), "cobra"),
      "init *=nil\ninput: { w(17)=5 } abort\n");
}

TEST(Input, takes_the_directory_around_a_bincode_file) {
  const Folder folder;
  folder.add("history.bincode", std::string(72, '\0'));
  const auto read = read_history(folder.path(), {});
  ASSERT_TRUE(read) << render(read.error());
  EXPECT_EQ(read->format, "dbcop-bincode");
}

}  // namespace
}  // namespace isomer::history
