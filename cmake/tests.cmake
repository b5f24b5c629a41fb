# The C++ tests: two binaries, one ctest entry each (a GoogleTest filter picks single tests).
enable_testing()
find_package(GTest REQUIRED)

rondo_test_sources(_loop_tests src/base src/text src/loop)
if(_loop_tests)
  add_executable(loop_tests ${_loop_tests})
  target_link_libraries(loop_tests PRIVATE rondo_options rondo_loop rondo_text GTest::gtest GTest::gtest_main)
  # Most of a test file's cost is reading headers and optimizing what GoogleTest's macros unfold to. The library under test is
  # optimized as ever; of its tests those built by g++ are, where the public headers' inline code is tried as users get it.
  target_precompile_headers(loop_tests PRIVATE ${RONDO_LOOP_PCH} <gtest/gtest.h> <filesystem> <fstream>)
  if(RONDO_IS_CLANG)
    target_compile_options(loop_tests PRIVATE -O0)
  else()
    target_compile_options(loop_tests PRIVATE -O1 -g0 -Wno-maybe-uninitialized)  # g++ 12 guesses wrong at this level
  endif()
  add_test(NAME loop_tests COMMAND loop_tests)
endif()

if(RONDO_ENGINE)
  rondo_test_sources(_runtime_tests tests/runtime src/engine src/inspector src/runtime src/modules src/observe src/fence src/cli)
  if(_runtime_tests)
    rondo_program(runtime_tests rondo_embedded_stage1 ${_runtime_tests})
    target_include_directories(runtime_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests/runtime)
    target_link_libraries(runtime_tests PRIVATE GTest::gtest GTest::gtest_main)
    add_test(NAME runtime_tests COMMAND runtime_tests)
  endif()
endif()

# A helper of tests/cli: runs a command with system calls refused.
if(RONDO_ENGINE)
  add_executable(refuse ${CMAKE_SOURCE_DIR}/tests/tools/refuse.cpp)
  target_link_libraries(refuse PRIVATE rondo_options)
endif()

# examples/loop/*.cpp are programs for readers of docs/librondo.md; they are built with the tests so that they stay true
# (not with a sanitizer, whose build nothing runs them from).
file(GLOB _examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/loop/*.cpp)
if(RONDO_SANITIZE)
  set(_examples "")
endif()
foreach(file IN LISTS _examples)
  get_filename_component(name ${file} NAME_WE)
  add_executable(example_${name} ${file})
  target_link_libraries(example_${name} PRIVATE rondo_options rondo_loop)
endforeach()

# Each header compiles alone: one generated file a header includes it twice. Part of the default build, so a header
# that leans on another's includes fails `make test`.
function(rondo_check_headers target)
  set(sources "")
  foreach(header IN LISTS ARGN)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${header})
    string(REGEX REPLACE "[/.]" "_" name ${name})
    set(source ${PROJECT_BINARY_DIR}/generated/headers/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  if(sources)
    add_library(${target} OBJECT ${sources})
  endif()
endfunction()

# librondo's own are tried where it is built alone.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT RONDO_ENGINE)
  file(GLOB_RECURSE _public CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h)
  rondo_check_headers(headers_public ${_public})
  if(TARGET headers_public)
    target_include_directories(headers_public PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_compile_options(headers_public PRIVATE -O0 -fno-exceptions)
  endif()
  file(GLOB_RECURSE _private CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/base/*.h ${PROJECT_SOURCE_DIR}/src/text/*.h
    ${PROJECT_SOURCE_DIR}/src/loop/*.h)
  rondo_check_headers(headers_loop ${_private})
  if(TARGET headers_loop)
    target_link_libraries(headers_loop PRIVATE rondo_options rondo_loop rondo_text)
  endif()
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(_engine "")
  foreach(folder IN LISTS RONDO_ENGINE_FOLDERS)
    file(GLOB_RECURSE _found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.h)
    list(APPEND _engine ${_found})
  endforeach()
  rondo_check_headers(headers_engine ${_engine})
  if(TARGET headers_engine)
    target_link_libraries(headers_engine PRIVATE rondo_engine_options)
    target_precompile_headers(headers_engine REUSE_FROM rondo_pch)
  endif()
endif()
