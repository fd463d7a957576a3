# SPDX-License-Identifier: MIT
# levels/*.level as strings in a generated source file: first the two frameworks whose levels
# need no qualified name, then the others by name.
file(GLOB level_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/levels/*.level)
set(first_files ${CMAKE_SOURCE_DIR}/levels/biswas.level ${CMAKE_SOURCE_DIR}/levels/cerone.level)
list(REMOVE_ITEM level_files ${first_files})
list(PREPEND level_files ${first_files})

set(standard_levels_rows "")
foreach(level_file ${level_files})
  file(READ ${level_file} level_text)
  get_filename_component(level_name ${level_file} NAME)
  string(APPEND standard_levels_rows "    {\"levels/${level_name}\", R\"LEVEL(${level_text})LEVEL\"},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${level_file})
endforeach()
configure_file(cmake/standard_levels.cpp.in ${CMAKE_BINARY_DIR}/generated/standard_levels.cpp @ONLY)
target_sources(isomer_level PRIVATE ${CMAKE_BINARY_DIR}/generated/standard_levels.cpp)
