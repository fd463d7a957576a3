# SPDX-License-Identifier: MIT
# What `make install` and the Debian package put where.  tools/check-package holds the list.
include(GNUInstallDirs)
install(TARGETS isomer RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
# So that the links of README.md and the commands of the help work in that folder.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples ${CMAKE_SOURCE_DIR}/docs ${CMAKE_SOURCE_DIR}/levels
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_PACKAGE_CONTACT "The Isomer authors <isomer@example.org>")

# The manual page and shell completion come out of the program itself.
if(NOT CMAKE_CROSSCOMPILING)
  set(pages ${CMAKE_BINARY_DIR}/pages)
  set(page_files ${pages}/isomer.1.gz ${pages}/changelog.gz ${pages}/changelog.Debian.gz
    ${pages}/isomer.bash ${pages}/_isomer)
  execute_process(COMMAND date -u -R -d ${ISOMER_VERSION_DATE} OUTPUT_VARIABLE version_time
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(CONFIGURE OUTPUT ${pages}/changelog.Debian @ONLY CONTENT
    "isomer (@PROJECT_VERSION@-1) unstable; urgency=low

  * Version @PROJECT_VERSION@; changelog.gz tells what is new.

 -- @CPACK_PACKAGE_CONTACT@  @version_time@
")
  add_custom_command(OUTPUT ${page_files}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}
    COMMAND isomer man | gzip -9n > ${pages}/isomer.1.gz
    COMMAND gzip -9nc ${CMAKE_SOURCE_DIR}/CHANGELOG.md > ${pages}/changelog.gz
    COMMAND gzip -9nc ${pages}/changelog.Debian > ${pages}/changelog.Debian.gz
    COMMAND isomer completion bash > ${pages}/isomer.bash
    COMMAND isomer completion zsh > ${pages}/_isomer
    DEPENDS isomer ${CMAKE_SOURCE_DIR}/CHANGELOG.md VERBATIM)
  add_custom_target(pages ALL DEPENDS ${page_files})
  install(FILES ${pages}/isomer.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${pages}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES ${pages}/isomer.bash RENAME isomer
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  # Some things depend on who installs: a package, or an administrator.
  install(CODE "set(share \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
      file(INSTALL ${pages}/_isomer DESTINATION \"\${share}/zsh/vendor-completions\")
      file(INSTALL ${pages}/changelog.Debian.gz DESTINATION \"\${share}/doc/isomer\")
    else()
      file(INSTALL ${pages}/_isomer DESTINATION \"\${share}/zsh/site-functions\")
    endif()")
endif()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "workbench for database isolation levels")
set(CPACK_PACKAGE_DESCRIPTION
  "Isomer tells what weak database isolation lets happen: which levels allow a
recorded history, what two levels differ in, and what an SQL application may
do at a level, each with evidence.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
