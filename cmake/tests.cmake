# The C++ tests: two binaries, one ctest entry each (a GoogleTest filter picks single tests).
enable_testing()
find_package(GTest REQUIRED)

rondo_test_sources(_loop_tests src/base src/loop)
if(_loop_tests)
  add_executable(loop_tests ${_loop_tests})
  target_link_libraries(loop_tests PRIVATE rondo_options rondo_loop GTest::gtest GTest::gtest_main)
  add_test(NAME loop_tests COMMAND loop_tests)
endif()

if(RONDO_ENGINE)
  rondo_test_sources(_runtime_tests src/engine src/runtime src/modules src/observe src/explore src/cli)
  if(_runtime_tests)
    rondo_program(runtime_tests rondo_embedded_stage1 ${_runtime_tests})
    target_link_libraries(runtime_tests PRIVATE GTest::gtest GTest::gtest_main)
    add_test(NAME runtime_tests COMMAND runtime_tests)
  endif()
endif()

# examples/loop/*.cpp are programs for readers of docs/librondo.md; they are built with the tests so that they stay true.
file(GLOB _examples CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/loop/*.cpp)
foreach(file IN LISTS _examples)
  get_filename_component(name ${file} NAME_WE)
  add_executable(example_${name} ${file})
  target_link_libraries(example_${name} PRIVATE rondo_options rondo_loop)
endforeach()
