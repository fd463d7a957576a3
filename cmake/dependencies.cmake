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
find_package(tomlplusplus REQUIRED)
find_package(TBB REQUIRED)
find_package(GTest REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(gvc REQUIRED IMPORTED_TARGET libgvc)
pkg_check_modules(z3 REQUIRED IMPORTED_TARGET z3)
pkg_check_modules(pq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(mariadb REQUIRED IMPORTED_TARGET libmariadb)
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

# The parser of PostgreSQL 15, likewise.
find_path(PG_QUERY_INCLUDE_DIR pg_query.h REQUIRED)
find_library(PG_QUERY_LIBRARY libpg_query.a REQUIRED)
add_library(pg_query STATIC IMPORTED)
set_target_properties(pg_query PROPERTIES
  IMPORTED_LOCATION ${PG_QUERY_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${PG_QUERY_INCLUDE_DIR}
  INTERFACE_LINK_LIBRARIES Threads::Threads)
