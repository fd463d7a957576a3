# SPDX-License-Identifier: MIT
# The version and its date stand in one place, the newest heading of the changelog.
file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/CHANGELOG.md headings REGEX "^## ")
list(GET headings 0 newest)
if(NOT newest MATCHES "^## \\[([0-9.]+)\\] - ([0-9-]+)$")
  message(FATAL_ERROR "CHANGELOG.md: expected '## [VERSION] - DATE', found '${newest}'")
endif()
set(ISOMER_VERSION ${CMAKE_MATCH_1})
set(ISOMER_VERSION_DATE ${CMAKE_MATCH_2})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/CHANGELOG.md)
