# `make install PREFIX=`: the binary, the library, its headers, rondo.pc, the CMake package, the documents.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS rondo_loop EXPORT rondo
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/rondo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

# find_package(rondo), then link rondo::rondo.
set(RONDO_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/rondo)
install(EXPORT rondo NAMESPACE rondo:: FILE rondoTargets.cmake DESTINATION ${RONDO_PACKAGE_DIR})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/rondoConfig.cmake.in
  ${CMAKE_BINARY_DIR}/generated/rondoConfig.cmake INSTALL_DESTINATION ${RONDO_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/rondoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/rondoConfig.cmake ${CMAKE_BINARY_DIR}/generated/rondoConfigVersion.cmake
  DESTINATION ${RONDO_PACKAGE_DIR})

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
configure_file(${CMAKE_SOURCE_DIR}/cmake/rondo.pc.in ${CMAKE_BINARY_DIR}/generated/rondo.pc.in @ONLY)
install(CODE "
  set(prefix \"\${CMAKE_INSTALL_PREFIX}\")
  file(READ \"${CMAKE_BINARY_DIR}/generated/rondo.pc.in\" text)
  string(REPLACE \"%PREFIX%\" \"\${prefix}\" text \"\${text}\")
  file(WRITE \"\$ENV{DESTDIR}\${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/rondo.pc\" \"\${text}\")
  message(STATUS \"Installing: \$ENV{DESTDIR}\${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/rondo.pc\")")

if(TARGET rondo)
  install(TARGETS rondo RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES LICENSE README.md THIRD_PARTY.md CHANGELOG.md docs/librondo.md docs/loop.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples/loop/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples FILES_MATCHING PATTERN "*.cpp")
