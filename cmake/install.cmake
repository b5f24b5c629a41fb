# `make install PREFIX=`: the binary, the library, its headers, rondo.pc, the CMake package, the documents. The components are the
# packages of `make package`: runtime (rondo), library (librondo as a shared library), development (what compiles and links with it).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS rondo_loop EXPORT rondo
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
if(TARGET rondo_tls)
  install(TARGETS rondo_tls EXPORT rondo
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/rondo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.cppm")

# find_package(rondo), then link rondo::rondo.
set(RONDO_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/rondo)
install(EXPORT rondo NAMESPACE rondo:: FILE rondoTargets.cmake DESTINATION ${RONDO_PACKAGE_DIR} COMPONENT development)
set(RONDO_HAS_TLS 0)
if(TARGET rondo_tls)
  set(RONDO_HAS_TLS 1)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rondoConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/rondoConfig.cmake INSTALL_DESTINATION ${RONDO_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/rondoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/rondoConfig.cmake ${PROJECT_BINARY_DIR}/generated/rondoConfigVersion.cmake
  DESTINATION ${RONDO_PACKAGE_DIR} COMPONENT development)

# pkg-config. What a static library needs stands in Libs, so that plain --libs links it.
set(RONDO_PC_LIBS "-lrondo -luring -lcares -pthread")
set(RONDO_PC_PRIVATE "")
get_target_property(_type rondo_loop TYPE)
if(_type STREQUAL "SHARED_LIBRARY")
  set(RONDO_PC_LIBS "-lrondo")
  set(RONDO_PC_PRIVATE "-luring -lcares -pthread")
endif()
if(RONDO_OBSERVE)
  set(RONDO_PC_OBSERVE 1)
else()
  set(RONDO_PC_OBSERVE 0)
endif()
# The prefix is found from where rondo.pc lies, so that an installed tree may be moved and --prefix may be said late.
set(RONDO_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH RONDO_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" RONDO_PC_PREFIX "\${pcfiledir}/${RONDO_PC_PREFIX}")
endif()
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE RONDO_PC_LIBDIR)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE RONDO_PC_INCLUDEDIR)
configure_file(${PROJECT_SOURCE_DIR}/cmake/rondo.pc.in ${PROJECT_BINARY_DIR}/generated/rondo.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/rondo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
if(TARGET rondo_tls)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/rondo-tls.pc.in ${PROJECT_BINARY_DIR}/generated/rondo-tls.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/rondo-tls.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endif()

install(FILES docs/librondo.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/librondo-dev COMPONENT development)
install(DIRECTORY examples/loop/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/librondo-dev/examples COMPONENT development
  FILES_MATCHING PATTERN "*.cpp" PATTERN "*.h")

if(TARGET rondo)
  install(TARGETS rondo RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
  include(cmake/html_pack.cmake)
  # The manual page, the completions and the licence texts are written by the binary itself.
  set(_texts ${PROJECT_BINARY_DIR}/generated/shell)
  install(CODE "file(MAKE_DIRECTORY ${_texts})
    execute_process(COMMAND $<TARGET_FILE:rondo> --man-page OUTPUT_FILE ${_texts}/rondo.1 COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND $<TARGET_FILE:rondo> --completion-bash OUTPUT_FILE ${_texts}/rondo COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND $<TARGET_FILE:rondo> --completion-zsh OUTPUT_FILE ${_texts}/_rondo COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND $<TARGET_FILE:rondo> --completion-fish OUTPUT_FILE ${_texts}/rondo.fish COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND $<TARGET_FILE:rondo> tools/third_party.js --texts WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      OUTPUT_FILE ${_texts}/LICENSES COMMAND_ERROR_IS_FATAL ANY)" COMPONENT runtime)
  install(FILES ${_texts}/rondo.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  install(FILES ${_texts}/rondo DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT runtime)
  install(FILES ${_texts}/_rondo DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT runtime)
  install(FILES ${_texts}/rondo.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT runtime)
  install(FILES LICENSE README.md THIRD_PARTY.md CHANGELOG.md ${_texts}/LICENSES DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
  install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime FILES_MATCHING PATTERN "*.md" PATTERN decisions EXCLUDE)
  install(FILES examples/tour.js DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT runtime)
  install(DIRECTORY types DESTINATION ${CMAKE_INSTALL_DATADIR}/rondo COMPONENT runtime FILES_MATCHING PATTERN "*.d.ts")
endif()
