# share/rondo/html.pack: what `rondo --loop=html` makes documents of, jsdom and fake-indexeddb with all they need, beside the binary in the build tree.
# tools/html_pack.js, run by the binary just built, gathers the sources; rondo_bake adds bytecode where the build has any. Neither program's own date
# counts: what is in the pack follows from the packages and the engine.
set(_pack ${PROJECT_BINARY_DIR}/html.pack)
set(_sources ${PROJECT_BINARY_DIR}/generated/html.sources)
set(_tool ${PROJECT_SOURCE_DIR}/tools/html_pack.js)
set(_patches ${PROJECT_SOURCE_DIR}/lib/html/jsdom/patch_table.js)  # applied or checked by the tool
set(_environment "")
if(RONDO_SANITIZE)  # as tests/all: the engine is not instrumented
  set(_environment ASAN_OPTIONS=allow_user_poisoning=0:detect_container_overflow=0:detect_stack_use_after_return=0:detect_leaks=0:handle_segv=0)
endif()
add_custom_command(OUTPUT ${_sources}
  COMMAND ${CMAKE_COMMAND} -E env ${_environment} $<TARGET_FILE:rondo> ${_tool} ${RONDO_NPM_ROOT} ${_sources}
  DEPENDS ${_tool} ${_patches} ${PROJECT_SOURCE_DIR}/package-lock.json COMMENT "Gathering what documents are made of" VERBATIM)
if(TARGET rondo_bake)
  add_custom_command(OUTPUT ${_pack}
    COMMAND rondo_bake --pack ${_sources} ${_pack}
    DEPENDS ${_sources} ${PROJECT_SOURCE_DIR}/src/cli/bake_main.cpp ${PROJECT_SOURCE_DIR}/src/runtime/html/html_pack.cpp
            ${PROJECT_SOURCE_DIR}/src/engine/core/source.cpp ${PROJECT_SOURCE_DIR}/src/engine/patches/baked_code.cpp
    COMMENT "Baking what documents are made of" VERBATIM)
else()
  add_custom_command(OUTPUT ${_pack}
    COMMAND ${CMAKE_COMMAND} -E copy ${_sources} ${_pack} DEPENDS ${_sources} VERBATIM)
endif()
add_custom_target(rondo_html_pack ALL DEPENDS ${_pack})
install(FILES ${_pack} DESTINATION ${CMAKE_INSTALL_DATADIR}/rondo COMPONENT runtime)
