# SPDX-License-Identifier: MIT
# How the files of a target become objects, in less time than one by one.

# Reading these takes longer than compiling most files, so two targets read them for all:
# isomer_base for the sources, base_tests for the tests.
set(ISOMER_COMMON_HEADERS <algorithm> <array> <cstdint> <functional> <map> <memory> <optional>
  <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>
  <tl/expected.hpp>)

set(ISOMER_UNITY_LINES_MAX 3000)

# headers_from: the target that has precompiled the headers; folder: where the target's own are.
function(isomer_compile target headers_from folder)
  if(NOT target STREQUAL headers_from)
    target_precompile_headers(${target} REUSE_FROM ${headers_from})
  endif()
  if(ISOMER_UNITY)
    get_target_property(sources ${target} SOURCES)
    execute_process(COMMAND ${CMAKE_SOURCE_DIR}/tools/unity ${ISOMER_UNITY_LINES_MAX} ${folder} ${sources}
      OUTPUT_VARIABLE groups COMMAND_ERROR_IS_FATAL ANY)
    foreach(source group IN ZIP_LISTS sources groups)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()
