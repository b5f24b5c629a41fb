# JavaScriptCore, from npm (bun-webkit-linux-amd64 or -arm64). JSC_ROOT, as cache variable or in the
# environment, names another build of the same layout: include/, lib/.
#
# Defines `rondo_engine_options` (flags of every target that sees the engine's headers; all such targets must
# share them, because they share one precompiled header), `rondo_pch` (that header), and `rondo_jsc` (the libraries).
find_package(fmt REQUIRED)
if(NOT RONDO_IS_CLANG)
  message(FATAL_ERROR "JavaScriptCore's headers need clang; use the loop-only preset with ${CMAKE_CXX_COMPILER_ID}.")
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(_package bun-webkit-linux-arm64)
else()
  set(_package bun-webkit-linux-amd64)
endif()
if(NOT JSC_ROOT AND NOT "$ENV{JSC_ROOT}" STREQUAL "")
  set(JSC_ROOT "$ENV{JSC_ROOT}")
endif()
if(NOT JSC_ROOT)
  set(JSC_ROOT ${PROJECT_SOURCE_DIR}/node_modules/${_package})
endif()
set(JSC_ROOT "${JSC_ROOT}" CACHE PATH "Folder of the JavaScriptCore build (include/, lib/)" FORCE)
if(NOT EXISTS ${JSC_ROOT}/lib/libJavaScriptCore.a)
  message(FATAL_ERROR "No JavaScriptCore in ${JSC_ROOT}: run tools/setup, or set JSC_ROOT.")
endif()

add_library(rondo_jsc INTERFACE)
target_include_directories(rondo_jsc SYSTEM INTERFACE ${JSC_ROOT}/include ${JSC_ROOT}/include/wtf)
target_link_libraries(rondo_jsc INTERFACE ${JSC_ROOT}/lib/libJavaScriptCore.a ${JSC_ROOT}/lib/libWTF.a
  ${JSC_ROOT}/lib/libbmalloc.a ${JSC_ROOT}/lib/libicui18n.a ${JSC_ROOT}/lib/libicuuc.a
  ${JSC_ROOT}/lib/libicudata.a dl Threads::Threads -l:libatomic.a)  # libatomic.so.1 is not on a bare Debian

# The engine's makers of errors, which src/engine/patches/error_makers.cpp stands before.
set(_message EPNS_14JSGlobalObjectERKN3WTF6StringE)
set(_appender PFS3_S5_NS2_10StringViewENS_11RuntimeTypeENS_13ErrorInstance28SourceTextWhereErrorOccurredEE)
set(_scope EPNS_14JSGlobalObjectERNS_10ThrowScopeE)
foreach(_maker
    15createTypeError${_message} 15createTypeError${_message}${_appender}S7_ 16createRangeError${_message}
    20createReferenceError${_message} 17createSyntaxError${_message} 14createURIError${_message}
    11createErrorEPNS_14JSGlobalObjectENS_9ErrorTypeERKN3WTF6StringE
    11createErrorEPNS_14JSGlobalObjectENS_22ErrorTypeWithExtensionERKN3WTF6StringE
    14throwTypeError${_scope}RKN3WTF6StringE 14throwTypeError${_scope}N3WTF12ASCIILiteralE
    16throwSyntaxError${_scope}RKN3WTF6StringE 14throwTypeError${_scope}
    49throwConstructorCannotBeCalledAsFunctionTypeError${_scope}PKc)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC${_maker})
endforeach()

# Its makers of global bindings, which src/engine/patches/context_bindings.cpp stands before.
set(_binding 27createGlobalFunctionBindingILNS_22BindingCreationContextE)
foreach(_maker 19addSymbolTableEntryERKNS_10IdentifierE
    ${_binding}0EEEvRKNS_10IdentifierE ${_binding}1EEEvRKNS_10IdentifierE)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC14JSGlobalObject${_maker})
endforeach()

# Its makers of Promise and Promise.reject, which src/engine/patches/promise_functions.cpp stands before.
foreach(_promise 49promiseConstructorPromiseConstructorCodeGeneratorERNS_2VME 37promiseConstructorRejectCodeGeneratorERNS_2VME)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC${_promise})
endforeach()

# Its decoders of baked bytecode, which src/engine/patches/decoded_code.cpp stands before.
foreach(_decoder
    19decodeCodeBlockImplERNS_2VMERKNS_13SourceCodeKeyEN3WTF3RefINS_14CachedBytecodeENS5_12RawPtrTraitsIS7_EEEE
    23decodeFunctionCodeBlockERNS_7DecoderEiRNS_12WriteBarrierINS_25UnlinkedFunctionCodeBlockEN3WTF12RawPtrTraitsIS3_EEEEPKNS_6JSCellE)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC${_decoder})
endforeach()

# Its question whether code is compiled, which src/engine/patches/compile_wait.cpp stands before.
set(_complete 26completeAllReadyPlansForVMERNS_2VMENS_17JITCompilationKeyE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC11JITWorklist${_complete})

# What it asks of the machine, which src/engine/patches/missing_proc_sys.cpp stands before.
foreach(_asked _Z25uv_get_constrained_memoryv _ZN7bmalloc12cryptoRandomEPvm
    _ZN3WTF35cryptographicallyRandomValuesFromOSEPhm _ZN3WTF11OSAllocator28tryReserveUncommittedAlignedEmmNS0_5UsageEbbbb
    pthread_getattr_np)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=${_asked})
endforeach()

# Its taker of stacks, which src/engine/patches/async_frames.cpp stands before.
string(CONCAT _stack 13getStackTraceEPNS_6JSCellERN3WTF6VectorINS_10StackFrameELm0E
  NS3_15CrashOnOverflowELm16ENS3_10FastMallocEEEmmS2_)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC11Interpreter${_stack})

# Its end of errors whose stacks were not read, which src/engine/patches/collected_stacks.cpp stands before.
set(_finalize 23finalizeUnconditionallyERNS_2VMENS_15CollectionScopeE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC13ErrorInstance${_finalize})

# Its parser of dates, which src/engine/patches/date_parsing.cpp stands before.
set(_dates 9parseDateEPNS_14JSGlobalObjectERNS_2VMERKN3WTF6StringE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC9DateCache${_dates})

# Its waiting, with and without blocking, which src/engine/patches/timed_waits.cpp stands before.
foreach(_wait 9waitAsyncEPNS_14JSGlobalObjectERNS_2VMEPiiN3WTF7SecondsE 9waitAsyncEPNS_14JSGlobalObjectERNS_2VMEPllN3WTF7SecondsE
    8waitSyncERNS_2VMEPiiN3WTF7SecondsE 8waitSyncERNS_2VMEPllN3WTF7SecondsE)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC17WaiterListManager${_wait})
endforeach()

# Its compiler of `return`, which src/engine/patches/generator_return.cpp stands before.
set(_return 12emitBytecodeERNS_17BytecodeGeneratorEPNS_10RegisterIDE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC10ReturnNode${_return})

# Its maker of patterns for dates, which src/engine/patches/date_time_pattern.cpp stands before.
set(_patterns 22getBestDateTimePatternERKN3WTF7CStringEPKDsjR10UErrorCode)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC9IntlCache${_patterns})

# Its maker of a script's variables, which src/engine/patches/global_prototypes.cpp stands before.
set(_declares 26initializeGlobalPropertiesERNS_2VMEPNS_14JSGlobalObjectEPNS_7JSScopeE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC17ProgramExecutable${_declares})

# The C library's fmod, which src/engine/patches/fmod.cpp stands before.
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=fmod)

# Its matchers of regular expressions, which src/engine/patches/regexp_limit.cpp stands before.
if(_package MATCHES "arm64")
  set(_assembler 14ARM64Assembler)
else()
  set(_assembler 12X86Assembler)
endif()
foreach(_step 17BacktrackingState4linkEPNS_14MacroAssemblerE
    17BacktrackingState6linkToENS_22AbstractMacroAssemblerINS_${_assembler}EE5LabelEPNS_14MacroAssemblerE
    13generateEnterEv 21generateJITFailReturnEv)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC4Yarr13YarrGeneratorINS0_23YarrJITDefaultRegistersEE${_step})
endforeach()
set(_term ERNS0_8ByteTermEPNS2_18DisjunctionContextE)
foreach(_step 16matchDisjunctionEPNS0_15ByteDisjunctionEPNS2_18DisjunctionContextEb 22backtrackBackReference${_term}
    23backtrackCharacterClass${_term} 25backtrackPatternCharacter${_term} 30backtrackPatternCasedCharacter${_term})
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC4Yarr11InterpreterIhE${_step}
    -Wl,--wrap=_ZN3JSC4Yarr11InterpreterIDsE${_step})
endforeach()
set(_copy 15copyDisjunctionEPNS0_18PatternDisjunctionEb)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC4Yarr22YarrPatternConstructor${_copy})
set(_concurrently 17matchConcurrentlyERNS_2VMERKN3WTF6StringEj)
foreach(_answer RNS_11MatchResultE RiRNS3_6VectorIiLm0ENS3_15CrashOnOverflowELm16ENS3_10FastMallocEEE)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC6RegExp${_concurrently}${_answer})
endforeach()

# Its replacing with expressions and two of its built-ins, which src/engine/patches/regexp_replace.cpp stands before.
foreach(_replace ReplaceGeneric ReplaceRegExpEmptyStr ReplaceRegExpString)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=operationStringProtoFunc${_replace})
endforeach()
foreach(_maker 36regExpPrototypeMatchAllCodeGeneratorERNS_2VME 37regExpPrototypeMatchSlowCodeGeneratorERNS_2VME)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC${_maker})
endforeach()

# Its makers and its runner of their code, which src/engine/patches/regexp_matcher.cpp stands before.
set(_compile 11byteCompileERNS0_11YarrPatternEPN3WTF20BumpPointerAllocatorERNS0_9ErrorCodeEPNS3_4LockE)
set(_interpret 9interpretEPNS0_15BytecodePatternEN3WTF10StringViewEjPj)
string(CONCAT _machine 10jitCompileERNS0_11YarrPatternEN3WTF10StringViewENS0_8CharSizeE
  St8optionalIS4_EPNS_2VMERNS0_13YarrCodeBlockENS0_14JITCompileModeE)
set(_parse 7compileEN3WTF10StringViewE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC4Yarr11YarrPattern${_parse})
set(_literal 11checkSyntaxEN3WTF10StringViewES2_)
foreach(_step ${_compile} ${_interpret} ${_machine} ${_literal})
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC4Yarr${_step})
endforeach()

# Its tables of Unicode's properties, which src/engine/patches/unicode_properties.cpp stands before.
set(_value 25unicodeMatchPropertyValueEN3WTF6StringES2_)
set(_class 24unicodeCharacterClassForENS0_23BuiltInCharacterClassIDE)
set(_strings 31characterClassMayContainStringsENS0_23BuiltInCharacterClassIDE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC4Yarr11YarrPattern${_class})
foreach(_property ${_value} ${_strings})
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC4Yarr${_property})
endforeach()

# Its thrower of WebAssembly's exceptions (src/engine/patches/wasm_interrupt.cpp) and makers of threads (thread_start.cpp).
foreach(_asked slow_path_wasm_throw_exception pthread_create
    _ZN3WTF6Thread15establishHandleEPNS0_16NewThreadContextESt8optionalImENS0_3QOSE)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=${_asked})
endforeach()

# Its makers of code from texts, which src/engine/patches/code_weight.cpp stands before.
foreach(_asked
    _ZN3JSC9CodeCache35getUnlinkedGlobalFunctionExecutableERNS_2VMERKNS_10IdentifierERKNS_10SourceCodeEN3WTF9OptionSetINS_18CodeGenerationModeEEESt8optionalIiERNS_11ParserErrorE
    _ZN3JSC22IndirectEvalExecutable9tryCreateEPNS_14JSGlobalObjectERKNS_10SourceCodeENS_18DerivedContextTypeEbNS_15EvalContextTypeE
    _ZN3JSC20DirectEvalExecutable6createEPNS_14JSGlobalObjectERKNS_10SourceCodeENS_18DerivedContextTypeENS_26NeedsClassFieldInitializerENS_23PrivateBrandRequirementEbbNS_15EvalContextTypeEPKN3WTF7HashSetINSA_6RefPtrINSA_17UniquedStringImplENSA_12RawPtrTraitsISD_EENSA_21DefaultRefDerefTraitsISD_EEEENS_17IdentifierRepHashENSA_10HashTraitsISI_EENSA_15HashTableTraitsEEEPKNSA_7HashMapINSC_ISD_NSA_15PackedPtrTraitsISD_EESH_EENS_16PrivateNameEntryESJ_SL_NS_26PrivateNameEntryHashTraitsESM_EENS_8ECMAModeE
    _ZN3JSC6RegExp20createWithoutCachingERNS_2VMERKN3WTF6StringENS3_9OptionSetINS_4Yarr5FlagsEEE)
  target_link_options(rondo_jsc INTERFACE -Wl,--wrap=${_asked})
endforeach()

# Its way to give a block's pages back, which src/engine/patches/heap_teardown.cpp stands before.
set(_pages 23decommitAlignedPhysicalEPvmNS_8HeapKindE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN7bmalloc3api${_pages})

# Its profiler's look at the program, which src/engine/patches/sample_ticks.cpp stands before.
set(_sample 10takeSampleERN3WTF7SecondsE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC16SamplingProfiler${_sample})

# Its way to read another thread's registers, which src/engine/patches/leaf_calls.cpp stands before.
set(_registers 12getRegistersERKNS_19ThreadSuspendLockerERNS_17PlatformRegistersE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3WTF6Thread${_registers})

# Its slow paths of allocation, which src/engine/patches/allocation_watch.cpp stands before.
set(_block 16allocateSlowCaseERNS_4HeapEmPNS_17GCDeferralContextENS_21AllocationFailureModeE)
set(_large 12allocateSlowERNS_2VMEmPNS_17GCDeferralContextENS_21AllocationFailureModeE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC14LocalAllocator${_block}
  -Wl,--wrap=_ZN3JSC16CompleteSubspace${_large})

# Its list of a module's names, which src/engine/patches/module_names.cpp stands before.
string(CONCAT _names 26getOwnSpecialPropertyNamesEPNS_8JSObjectEPNS_14JSGlobalObjectERNS_17PropertyNameArray
  ENS_22DontEnumPropertiesModeE)
target_link_options(rondo_jsc INTERFACE -Wl,--wrap=_ZN3JSC19JSModuleEnvironment${_names})

# Every name in the engine's Unicode library ends in its version; the files that call it have to know it.
file(STRINGS ${JSC_ROOT}/lib/libicuuc.a _icu_name REGEX "ucnv_open_[0-9]+" LIMIT_COUNT 1)
string(REGEX MATCH "ucnv_open_([0-9]+)" _icu_match "${_icu_name}")
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/engine/core/icu_converter.cpp
  ${PROJECT_SOURCE_DIR}/src/engine/regexp/case_folding.cpp
  ${PROJECT_SOURCE_DIR}/src/engine/patches/date_time_pattern.cpp PROPERTIES
  COMPILE_DEFINITIONS RONDO_ICU_VERSION=${CMAKE_MATCH_1} SKIP_PRECOMPILE_HEADERS ON)

# The engine's libraries are built without assertions; NDEBUG and the sanitizer switch keep our view of its
# objects' layout the same as theirs in every preset.
add_library(rondo_engine_options INTERFACE)
target_compile_definitions(rondo_engine_options INTERFACE
  STATICALLY_LINKED_WITH_JavaScriptCore=1 STATICALLY_LINKED_WITH_WTF=1 STATICALLY_LINKED_WITH_BMALLOC=1
  BUILDING_WITH_CMAKE=1 NDEBUG=1 U_STATIC_IMPLEMENTATION=1 RONDO_VERSION="${PROJECT_VERSION}"
  $<$<BOOL:${RONDO_DEV}>:RONDO_DEV=1>)
target_compile_options(rondo_engine_options INTERFACE -fno-rtti -fno-exceptions -fno-pie
  -Wno-missing-template-arg-list-after-template-kw -Wno-invalid-offsetof)
if(RONDO_SANITIZE)
  target_compile_definitions(rondo_engine_options INTERFACE ENABLE_SECURITY_ASSERTIONS=0 RONDO_NO_FENCE=1)
  target_compile_options(rondo_engine_options INTERFACE
    -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizer_ignore.txt)
endif()
target_link_libraries(rondo_engine_options INTERFACE rondo_options rondo_jsc rondo_loop rondo_text)

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/pch.cpp CONTENT "// Carries the precompiled header.\n")
add_library(rondo_pch OBJECT ${PROJECT_BINARY_DIR}/generated/pch.cpp)
target_link_libraries(rondo_pch PRIVATE rondo_engine_options)
# Beside the engine's headers those that cost a file a second each: {fmt}, and librondo's. What may include them is said by
# tools/check_layers, not by the compiler.
target_precompile_headers(rondo_pch PRIVATE ${PROJECT_SOURCE_DIR}/src/engine/core/jsc.h <fmt/format.h> <rondo/rondo.h>
  <algorithm> <atomic> <expected> <functional> <memory> <mutex> <optional> <span> <string> <string_view> <thread>
  <unordered_map> <utility> <vector>)

# rondo_engine_object(<name> <source>…): object library on the engine side.
function(rondo_engine_object name)
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PRIVATE rondo_engine_options)
  target_precompile_headers(${name} REUSE_FROM rondo_pch)
endfunction()
