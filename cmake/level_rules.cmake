# SPDX-License-Identifier: MIT
# levels/postgresql/*.toml as strings in a generated source file, in the order of their names, and
# the tables that they share.
file(GLOB rule_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/levels/postgresql/*.toml)
set(level_rules_tables ${CMAKE_SOURCE_DIR}/levels/postgresql/rules.sql)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rule_files} ${level_rules_tables})
file(READ ${level_rules_tables} level_rules_tables)

set(level_rules_rows "")
foreach(rule_file ${rule_files})
  file(READ ${rule_file} rule_text)
  get_filename_component(rule_name ${rule_file} NAME)
  string(APPEND level_rules_rows "    {\"levels/postgresql/${rule_name}\", R\"RULE(${rule_text})RULE\"},\n")
endforeach()
configure_file(cmake/level_rules.cpp.in ${CMAKE_BINARY_DIR}/generated/level_rules.cpp @ONLY)
target_sources(isomer_database PRIVATE ${CMAKE_BINARY_DIR}/generated/level_rules.cpp)
