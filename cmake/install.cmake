# SPDX-License-Identifier: MIT
include(GNUInstallDirs)
install(TARGETS isomer RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples ${CMAKE_SOURCE_DIR}/docs/schema
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The manual page and shell completion come out of the program itself.
if(NOT CMAKE_CROSSCOMPILING)
  set(pages ${CMAKE_BINARY_DIR}/pages)
  add_custom_command(OUTPUT ${pages}/isomer.1 ${pages}/isomer.bash ${pages}/_isomer
    COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}
    COMMAND isomer man > ${pages}/isomer.1
    COMMAND isomer completion bash > ${pages}/isomer.bash
    COMMAND isomer completion zsh > ${pages}/_isomer
    DEPENDS isomer VERBATIM)
  add_custom_target(pages ALL DEPENDS ${pages}/isomer.1 ${pages}/isomer.bash ${pages}/_isomer)
  install(FILES ${pages}/isomer.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${pages}/isomer.bash RENAME isomer
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${pages}/_isomer DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_CONTACT "The Isomer authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
