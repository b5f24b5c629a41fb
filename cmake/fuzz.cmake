# src/**/*_fuzz.cpp: one libFuzzer target a file, over librondo's sources.
file(GLOB_RECURSE _fuzzers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/text/*_fuzz.cpp
  ${PROJECT_SOURCE_DIR}/src/loop/*_fuzz.cpp)
foreach(file IN LISTS _fuzzers)
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  target_link_libraries(${name} PRIVATE rondo_options rondo_loop rondo_text)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
