# SPDX-License-Identifier: MIT
# Debian packages only; tools/packages.txt lists their names.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(ZLIB REQUIRED)
find_package(GTest REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(gvc REQUIRED IMPORTED_TARGET libgvc)
pkg_check_modules(z3 REQUIRED IMPORTED_TARGET z3)
if(ISOMER_BENCH)
  find_package(benchmark REQUIRED)
endif()

# CaDiCaL ships a header and a static library, and no CMake or pkg-config file.
find_path(CADICAL_INCLUDE_DIR cadical.hpp PATH_SUFFIXES cadical REQUIRED)
find_library(CADICAL_LIBRARY libcadical.a REQUIRED)
add_library(cadical STATIC IMPORTED)
set_target_properties(cadical PROPERTIES
  IMPORTED_LOCATION ${CADICAL_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${CADICAL_INCLUDE_DIR})
