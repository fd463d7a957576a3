// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace isomer {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// The number that a file consists of; "max" and a file that is not there are unlimited.
std::uint64_t number_in(const std::string& path) {
  std::ifstream in(path);
  std::uint64_t number = 0;
  return in >> number ? number : unlimited;
}

std::uint64_t free_bytes() {
  std::ifstream in("/proc/meminfo");
  for (std::string word; in >> word;) {
    std::uint64_t kib = 0;
    if (word == "MemAvailable:" && in >> kib) return kib << 10U;
  }
  return unlimited;
}

// The least that a group or one that it is in allows.
std::uint64_t least_limit(const std::string& root, std::string group,
                          const std::string& file) {
  std::uint64_t least = number_in(root + "/" + file);
  while (group.size() > 1) {
    least = std::min(least, number_in(root + group + "/" + file));
    group.erase(group.rfind('/'));
  }
  return least;
}

// Lines are "0::/group" for version 2, and "4:memory:/group" for version 1.
std::uint64_t group_limit_bytes() {
  std::ifstream in("/proc/self/cgroup");
  std::uint64_t least = unlimited;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty())
      least = std::min(least, least_limit("/sys/fs/cgroup", group, "memory.max"));
    else if (controllers.find("memory") != std::string::npos)
      least = std::min(
          least, least_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace

std::uint64_t memory_held_bytes() {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen("/proc/self/statm", "r"), &std::fclose);
  unsigned long all = 0;
  unsigned long resident = 0;
  unsigned long shared = 0;
  if (file == nullptr ||
      std::fscanf(file.get(), "%lu %lu %lu", &all, &resident, &shared) != 3)
    return 0;
  return resident > shared ? (resident - shared) * page : 0;
}

std::uint64_t memory_peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10U;
}

std::uint64_t memory_available_bytes() {
  return std::min(free_bytes(), group_limit_bytes());
}

}  // namespace isomer
