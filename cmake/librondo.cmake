# librondo: the event loop as a library. Needs no engine, builds with clang 19 and with g++ 12.
# Run-time type information stays on, so that a user's class may derive from ours; exceptions are never thrown.
# Static; with BUILD_SHARED_LIBS=ON (and RONDO_ENGINE=OFF) shared, on the system's shared libraries.
find_package(Threads REQUIRED)
if(BUILD_SHARED_LIBS AND NOT RONDO_ENGINE)
  set(_kind SHARED)
  find_library(RONDO_URING uring)
  find_library(RONDO_CARES cares)
else()
  set(_kind STATIC)
  rondo_find_archive(RONDO_URING uring)
  rondo_find_archive(RONDO_CARES cares)
endif()
if(NOT RONDO_URING)
  message(FATAL_ERROR "liburing is missing: run tools/setup (Debian package liburing-dev).")
endif()
if(NOT RONDO_CARES)
  message(FATAL_ERROR "c-ares is missing: run tools/setup (Debian package libc-ares-dev).")
endif()

# URLs, UTF-8 and base64: the runtime's, tested beside librondo because they need no engine either.
rondo_sources(_text_sources src/text)
add_library(rondo_text STATIC EXCLUDE_FROM_ALL ${_text_sources})
target_include_directories(rondo_text PUBLIC ${PROJECT_SOURCE_DIR}/src)
set_target_properties(rondo_text PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_features(rondo_text PUBLIC cxx_std_23)
target_compile_options(rondo_text PRIVATE -fno-exceptions)
target_link_libraries(rondo_text PRIVATE rondo_options)

rondo_sources(RONDO_LOOP_SOURCES src/base src/loop)
add_library(rondo_loop ${_kind} ${RONDO_LOOP_SOURCES})
add_library(rondo::rondo ALIAS rondo_loop)
set_target_properties(rondo_loop PROPERTIES OUTPUT_NAME rondo EXPORT_NAME rondo DEFINE_SYMBOL "" POSITION_INDEPENDENT_CODE ON
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# Users see include/ alone; src/ is for targets with rondo_options, which are ours.
target_include_directories(rondo_loop PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_compile_features(rondo_loop PUBLIC cxx_std_23)
target_compile_definitions(rondo_loop PUBLIC RONDO_OBSERVE=$<IF:$<BOOL:${RONDO_OBSERVE}>,1,0>)
target_compile_options(rondo_loop PRIVATE -fno-exceptions)
target_link_libraries(rondo_loop PRIVATE $<BUILD_INTERFACE:rondo_options>)
# Headers compiled once for the tests and, with clang, for the library; with g++ the library's files are on their own, which shows
# that each includes what it uses.
set(RONDO_LOOP_PCH <rondo/rondo.h> <algorithm> <functional> <mutex> <string> <thread> <vector>)
if(RONDO_IS_CLANG)
  target_precompile_headers(rondo_loop PRIVATE ${RONDO_LOOP_PCH})
endif()
if(_kind STREQUAL "SHARED")
  # Public headers say visibility("default") of their namespace; what is declared in src/ stays inside.
  set_target_properties(rondo_loop PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(rondo_loop PRIVATE ${RONDO_URING} ${RONDO_CARES} PUBLIC Threads::Threads)
  target_link_options(rondo_loop PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/librondo.map -Wl,--no-undefined)
  set_target_properties(rondo_loop PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/librondo.map)
else()
  target_link_libraries(rondo_loop PUBLIC $<BUILD_INTERFACE:${RONDO_URING}> $<BUILD_INTERFACE:${RONDO_CARES}>
    $<INSTALL_INTERFACE:uring> $<INSTALL_INTERFACE:cares> Threads::Threads)
endif()
