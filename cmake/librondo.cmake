# librondo.a: the event loop as a library. Needs no engine, builds with clang and with g++ 12.
# Run-time type information stays on, so that a user's class may derive from ours; exceptions are never thrown.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
rondo_find_archive(RONDO_URING uring)
rondo_find_archive(RONDO_CARES cares)
if(NOT RONDO_URING)
  message(FATAL_ERROR "liburing is missing: run tools/setup (Debian package liburing-dev).")
endif()
if(NOT RONDO_CARES)
  message(FATAL_ERROR "c-ares is missing: run tools/setup (Debian package libc-ares-dev).")
endif()

rondo_sources(RONDO_LOOP_SOURCES src/base src/loop)
if(NOT RONDO_LOOP_SOURCES)
  file(WRITE ${CMAKE_BINARY_DIR}/generated/empty.cpp "")
  set(RONDO_LOOP_SOURCES ${CMAKE_BINARY_DIR}/generated/empty.cpp)
endif()

add_library(rondo_loop STATIC ${RONDO_LOOP_SOURCES})
set_target_properties(rondo_loop PROPERTIES OUTPUT_NAME rondo POSITION_INDEPENDENT_CODE ON)
target_include_directories(rondo_loop PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
target_compile_definitions(rondo_loop PUBLIC FMT_HEADER_ONLY=1
  RONDO_OBSERVE=$<IF:$<BOOL:${RONDO_OBSERVE}>,1,0>)
target_compile_options(rondo_loop PRIVATE -fno-exceptions)
target_link_libraries(rondo_loop PRIVATE $<BUILD_INTERFACE:rondo_options>
  PUBLIC ${RONDO_URING} ${RONDO_CARES} Threads::Threads)
