# Flags common to every target: language level, warnings, sanitizers, linker, ccache.
# Targets link `rondo_options` to get them.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")

set(RONDO_IS_CLANG OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(RONDO_IS_CLANG ON)
endif()

add_library(rondo_options INTERFACE)
target_include_directories(rondo_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(rondo_options INTERFACE FMT_HEADER_ONLY=1)
target_compile_options(rondo_options INTERFACE -Wall -Wextra -Wno-unused-parameter
  -fno-omit-frame-pointer "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
if(RONDO_IS_CLANG)
  # ccache can serve a precompiled header only if the header carries no time stamp.
  target_compile_options(rondo_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
  add_link_options(-fuse-ld=lld)
else()
  # With g++ it wants to see in the preprocessed text which one was used.
  target_compile_options(rondo_options INTERFACE -fpch-preprocess)
endif()
if(RONDO_SANITIZE)
  # Without the vptr check: the engine's side is built without run-time type information, which that check needs.
  target_compile_options(rondo_options INTERFACE -fsanitize=${RONDO_SANITIZE} -fno-sanitize=vptr,function
    -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${RONDO_SANITIZE})
endif()
if(RONDO_FUZZ)
  target_compile_options(rondo_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(RONDO_CCACHE ccache)
if(RONDO_CCACHE)
  set(_launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 ${RONDO_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${_launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${_launcher})
endif()

# rondo_sources(<variable> <folder>…): the folders' .cpp files, recursively, without tests and fuzz targets.
function(rondo_sources out)
  set(found "")
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND found ${files})
  endforeach()
  list(FILTER found EXCLUDE REGEX "(_test|_fuzz)\\.cpp$")
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# rondo_test_sources(<variable> <folder>…): the folders' *_test.cpp files, recursively.
function(rondo_test_sources out)
  set(found "")
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*_test.cpp)
    list(APPEND found ${files})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# rondo_find_archive(<variable> <name>): the static archive if the machine has it, else the shared library.
# The binary starts faster with few shared libraries.
function(rondo_find_archive out name)
  find_library(RONDO_LIB_${name} NAMES lib${name}.a ${name})
  set(${out} ${RONDO_LIB_${name}} PARENT_SCOPE)
endfunction()
