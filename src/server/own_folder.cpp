// SPDX-License-Identifier: MIT
#include "server/own_folder.h"

#include <cerrno>
#include <cstring>
#include <regex>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/real_server.h"

namespace isomer::server {
namespace {

constexpr const char* lock_name = "lock";

// Absent: somebody has it, or it is not for us.
int locked(const std::filesystem::path& folder, int flags) {
  const int lock = open((folder / lock_name).c_str(), O_RDWR | O_CLOEXEC | flags, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  if (lock >= 0) close(lock);
  return -1;
}

}  // namespace

tl::expected<OwnFolder, std::string> OwnFolder::make(const std::filesystem::path& parent,
                                                     bool keeps) {
  const std::filesystem::path path = parent / name_of_our_own(keeps);
  if (mkdir(path.c_str(), 0700) != 0)
    return tl::unexpected(
        fmt::format("cannot make the folder {}: {}", path.string(), std::strerror(errno)));
  const int lock = locked(path, O_CREAT);
  return OwnFolder(path, lock, keeps);
}

OwnFolder::OwnFolder(OwnFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      lock_(std::exchange(other.lock_, -1)),
      keeps_(other.keeps_) {}

OwnFolder::~OwnFolder() {
  if (!keeps_) remove();
  if (lock_ >= 0) close(lock_);
}

void OwnFolder::remove() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  path_.clear();
}

std::vector<std::string> OwnFolder::remove_left_behind(
    const std::filesystem::path& parent) {
  static const std::regex name("isomer_[0-9]+_[0-9a-f]{8}");
  std::vector<std::string> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(parent, ignored)) {
    if (!std::regex_match(entry.path().filename().string(), name)) continue;
    const int lock = locked(entry.path(), 0);
    if (lock < 0) continue;
    OwnFolder folder(entry.path(), lock, false);
    folder.remove();
    if (std::filesystem::exists(entry.path(), ignored))
      out.push_back(fmt::format(
          "the folder {0} was left behind by a program that was killed: rm -r {0}",
          entry.path().string()));
  }
  return out;
}

}  // namespace isomer::server
