# SPDX-License-Identifier: MIT
# levels/DATABASE/*.toml as strings in a generated source file, in the order of their names, each
# with the tables of its database, rules.sql.
set(level_rules_tables "")
set(level_rules_rows "")
foreach(rule_database postgresql mariadb sqlite)
  file(GLOB rule_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/levels/${rule_database}/*.toml)
  set(rule_tables_file ${CMAKE_SOURCE_DIR}/levels/${rule_database}/rules.sql)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rule_files} ${rule_tables_file})
  file(READ ${rule_tables_file} rule_tables)
  string(APPEND level_rules_tables
    "constexpr RuleText::Tables ${rule_database}_tables{\"levels/${rule_database}/rules.sql\", R\"RULE(${rule_tables})RULE\"};\n")
  foreach(rule_file ${rule_files})
    file(READ ${rule_file} rule_text)
    get_filename_component(rule_name ${rule_file} NAME)
    string(APPEND level_rules_rows
      "    {\"levels/${rule_database}/${rule_name}\", R\"RULE(${rule_text})RULE\", ${rule_database}_tables},\n")
  endforeach()
endforeach()
configure_file(cmake/level_rules.cpp.in ${CMAKE_BINARY_DIR}/generated/level_rules.cpp @ONLY)
target_sources(isomer_database PRIVATE ${CMAKE_BINARY_DIR}/generated/level_rules.cpp)
