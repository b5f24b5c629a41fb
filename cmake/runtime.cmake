# rondo: the runtime. One object library a folder; the binary is all of them plus the embedded table.
# Non-PIE: the engine is large, and a position-independent image spends a millisecond relocating at start.
set(RONDO_SYSTEM_LIBRARIES "")
foreach(name ssl crypto sodium nghttp2 brotlienc brotlidec brotlicommon zstd sqlite3 z)
  rondo_find_archive(found ${name})
  if(found)
    list(APPEND RONDO_SYSTEM_LIBRARIES ${found})
  else()
    message(FATAL_ERROR "Library ${name} is missing: run tools/setup.")
  endif()
endforeach()

# libsodium has an Argon2 of its own that knows less, under the same names. So libargon2 becomes one object that shows a single name.
rondo_find_archive(_argon2 argon2)
if(NOT _argon2)
  message(FATAL_ERROR "Library argon2 is missing: run tools/setup.")
endif()
set(_argon2_object ${PROJECT_BINARY_DIR}/generated/argon2.o)
add_custom_command(OUTPUT ${_argon2_object}
  COMMAND ${CMAKE_LINKER} -r --whole-archive ${_argon2} -o ${_argon2_object}
  COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=argon2_ctx ${_argon2_object}
  DEPENDS ${_argon2} COMMENT "Closing libargon2" VERBATIM)
set_source_files_properties(${_argon2_object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)

# ML-KEM, ML-DSA and SLH-DSA are OpenSSL's where it has them; of an older one the arithmetic of src/modules/crypto/pq is compiled
# (docs/decisions/0077-post-quantum-keys-beside-openssl.md).
find_path(RONDO_OPENSSL_INCLUDE openssl/opensslv.h REQUIRED)
file(STRINGS ${RONDO_OPENSSL_INCLUDE}/openssl/opensslv.h _openssl_version REGEX "define OPENSSL_VERSION_(MAJOR|MINOR) ")
string(REGEX REPLACE "[^0-9;]" "" _openssl_version "${_openssl_version}")
string(REPLACE ";" "." _openssl_version "${_openssl_version}")
if(_openssl_version VERSION_GREATER_EQUAL 3.5)
  set(RONDO_PQ_LEFT_OUT "crypto/pq/(ml_kem|ml_dsa|ml_dsa_ring|ml_dsa_ring_test|slh_dsa|slh_dsa_hash)\\.cpp$")
else()
  set(RONDO_PQ_LEFT_OUT "crypto/pq/openssl_pq\\.cpp$")
endif()

set(RONDO_ENGINE_FOLDERS engine inspector runtime modules observe fence cli)
set(RONDO_OBJECTS ${_argon2_object})
foreach(folder IN LISTS RONDO_ENGINE_FOLDERS)
  rondo_sources(sources src/${folder})
  list(FILTER sources EXCLUDE REGEX "src/cli/(main|bake_main)\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "${RONDO_PQ_LEFT_OUT}")
  rondo_engine_object(rondo_${folder} ${sources})
  list(APPEND RONDO_OBJECTS $<TARGET_OBJECTS:rondo_${folder}>)
endforeach()

# Node-API's own headers, for the files that implement it; what those define, addons find in the executable.
file(GLOB _napi_sources CONFIGURE_DEPENDS src/modules/napi/*.cpp)
set_source_files_properties(${_napi_sources} PROPERTIES INCLUDE_DIRECTORIES ${RONDO_NPM_ROOT}/node-api-headers/include)

# rondo_program(<name> <embedded table> <source>…): an executable made of all layers.
function(rondo_program name table)
  add_executable(${name} ${ARGN} ${RONDO_OBJECTS} $<TARGET_OBJECTS:${table}>)
  target_link_libraries(${name} PRIVATE rondo_engine_options rondo_tls ${RONDO_SYSTEM_LIBRARIES})
  target_precompile_headers(${name} REUSE_FROM rondo_pch)
  target_link_options(${name} PRIVATE -no-pie -Wl,--gc-sections
    -Wl,--export-dynamic-symbol=napi_* -Wl,--export-dynamic-symbol=node_api_* -Wl,--export-dynamic-symbol=uv_*)
  if(NOT RONDO_SANITIZE)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  if(RONDO_IS_CLANG AND NOT RONDO_SANITIZE)
    # Functions of every start lie side by side, so that fewer pages are touched: tools/start_order writes the list.
    set(_order ${PROJECT_SOURCE_DIR}/cmake/start.order)
    target_link_options(${name} PRIVATE -Wl,--symbol-ordering-file=${_order} -Wl,--no-warn-symbol-ordering)
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${_order})
  endif()
endfunction()

set(RONDO_TABLE rondo_embedded_stage1)
if(RONDO_BYTECODE)
  rondo_program(rondo_bake rondo_embedded_stage1 src/cli/bake_main.cpp)
  set(_bytecode ${PROJECT_BINARY_DIR}/generated/bytecode)
  add_custom_command(OUTPUT ${_bytecode}.index ${_bytecode}.blob
    COMMAND rondo_bake ${_bytecode}.index ${_bytecode}.blob
    DEPENDS rondo_bake COMMENT "Baking bytecode of lib/" VERBATIM)
  rondo_embedded_table(rondo_embedded_stage2 stage2 ${_bytecode}.index ${_bytecode}.blob)
  set(RONDO_TABLE rondo_embedded_stage2)
endif()
rondo_program(rondo ${RONDO_TABLE} src/cli/main.cpp)
