// SPDX-License-Identifier: MIT
// A folder that goes with whoever made it: isomer_<process>_<8 digits>.  A file in it is
// locked as long as one of its makers lives, so that what a killed program left behind is
// known.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace isomer::server {

class OwnFolder {
 public:
  // In this one.  Otherwise what the system has against it.
  static tl::expected<OwnFolder, std::string> make(const std::filesystem::path& parent,
                                                   bool keeps = false);
  ~OwnFolder();
  OwnFolder(OwnFolder&& other) noexcept;
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  OwnFolder& operator=(OwnFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // The descriptor that holds the lock: whoever keeps it open is one of its makers.
  [[nodiscard]] int lock() const { return lock_; }

  // Now, or somebody else does it.
  void remove();

  void leave_to_others() { path_.clear(); }

  // Removes what nobody has any more; says what could not be removed.
  static std::vector<std::string> remove_left_behind(const std::filesystem::path& parent);

 private:
  OwnFolder(std::filesystem::path path, int lock, bool keeps)
      : path_(std::move(path)), lock_(lock), keeps_(keeps) {}

  std::filesystem::path path_;  // empty: it is not ours any more
  int lock_;
  bool keeps_;
};

}  // namespace isomer::server
