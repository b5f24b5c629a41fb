# lib/ and a few npm packages ride inside the binary. tools/embed.cpp packs them into one blob and a table
# (`rondo::runtime::embedded_sources()`, declared in src/runtime/embedded.h), in two stages:
#
#   stage 1  sources only            → linked into rondo_bake and the tests
#   stage 2  sources and bytecode    → linked into rondo; the bytecode is what rondo_bake wrote
#
# Ids: lib/node/fs.js → fs, lib/internal/errors/coded.js → internal/errors/coded,
# an npm package by its bare name,
# a file of one by its path without `.js`.
file(GLOB_RECURSE RONDO_LIB_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/*.js)

set(RONDO_NPM_ROOT ${PROJECT_SOURCE_DIR}/node_modules)
if(NOT EXISTS ${RONDO_NPM_ROOT})
  get_filename_component(RONDO_NPM_ROOT ${JSC_ROOT} DIRECTORY)
endif()

# One `id<TAB>path` a line; the tool reads it.
set(_list "")
set(_inputs "")
foreach(file IN LISTS RONDO_LIB_FILES)
  file(RELATIVE_PATH id ${PROJECT_SOURCE_DIR}/lib ${file})
  string(REGEX REPLACE "\\.js$" "" id ${id})
  string(REGEX REPLACE "^node/" "" id ${id})
  string(APPEND _list "${id}\t${file}\n")
  list(APPEND _inputs ${file})
endforeach()
include(${PROJECT_SOURCE_DIR}/cmake/embedded_packages.cmake)
foreach(entry IN LISTS RONDO_EMBEDDED_PACKAGES)
  string(REPLACE "=" ";" entry ${entry})
  list(GET entry 0 id)
  list(GET entry 1 path)
  if(EXISTS ${RONDO_NPM_ROOT}/${path})
    string(APPEND _list "${id}\t${RONDO_NPM_ROOT}/${path}\n")
    list(APPEND _inputs ${RONDO_NPM_ROOT}/${path})
  else()
    message(WARNING "npm package file ${path} is missing (run tools/setup); `${id}` is left out of the binary.")
  endif()
endforeach()
# A package of many files: those that its entry reaches by relative require, ids `undici/lib/global`. The tool turns their
# relative requires into ids.
foreach(entry IN LISTS RONDO_EMBEDDED_TREES)
  set(_queue ${entry})
  set(_seen "")
  while(_queue)
    list(POP_FRONT _queue path)
    if(path IN_LIST _seen OR path MATCHES "${RONDO_EMBEDDED_TREES_WITHOUT}")
      continue()
    endif()
    if(NOT EXISTS ${RONDO_NPM_ROOT}/${path})
      message(WARNING "npm package file ${path} is missing (run tools/setup); it is left out of the binary.")
      continue()
    endif()
    list(APPEND _seen ${path})
    string(REGEX REPLACE "\\.js$" "" id ${path})
    string(APPEND _list "${id}\t${RONDO_NPM_ROOT}/${path}\n")
    list(APPEND _inputs ${RONDO_NPM_ROOT}/${path})
    file(STRINGS ${RONDO_NPM_ROOT}/${path} _lines REGEX "require\\(['\"]\\.")
    string(REGEX MATCHALL "require\\(['\"][^'\"]+['\"]\\)" _requires "${_lines}")
    get_filename_component(folder ${path} DIRECTORY)
    foreach(required IN LISTS _requires)
      string(REGEX REPLACE "require\\(['\"]([^'\"]+)['\"]\\)" "\\1" required "${required}")
      if(NOT required MATCHES "^\\.")
        continue()
      endif()
      cmake_path(SET target NORMALIZE "${folder}/${required}")
      if(IS_DIRECTORY ${RONDO_NPM_ROOT}/${target})
        string(APPEND target "/index.js")
      elseif(NOT target MATCHES "\\.(js|json)$")
        string(APPEND target ".js")
      endif()
      list(APPEND _queue ${target})
    endforeach()
  endwhile()
endforeach()
set(RONDO_EMBED_LIST ${PROJECT_BINARY_DIR}/generated/embed.list)
file(CONFIGURE OUTPUT ${RONDO_EMBED_LIST} CONTENT "${_list}" @ONLY)

add_executable(rondo_embed ${PROJECT_SOURCE_DIR}/tools/embed.cpp)
target_link_libraries(rondo_embed PRIVATE rondo_options)
target_include_directories(rondo_embed PRIVATE ${PROJECT_SOURCE_DIR}/src)
set_target_properties(rondo_embed PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/generated)

# rondo_embedded_table(<target> <stage> [bytecode index, bytecode blob]): object library with the table.
function(rondo_embedded_table target stage)
  set(base ${PROJECT_BINARY_DIR}/generated/embedded_${stage})
  add_custom_command(OUTPUT ${base}.cpp ${base}.S ${base}.blob
    COMMAND rondo_embed ${RONDO_EMBED_LIST} ${base} ${ARGN}
    DEPENDS rondo_embed ${RONDO_EMBED_LIST} ${_inputs} ${ARGN}
    COMMENT "Embedding lib/ (${stage})" VERBATIM)
  set_property(SOURCE ${base}.S APPEND PROPERTY OBJECT_DEPENDS ${base}.blob)
  add_library(${target} OBJECT ${base}.cpp ${base}.S)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endfunction()

rondo_embedded_table(rondo_embedded_stage1 stage1)
