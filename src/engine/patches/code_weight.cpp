// The weight of compiled text for the collector. A function made from a text, an eval and a regular expression keep about a kilobyte beside
// the heap (the text, its parsed form, tables) of which the engine tells its collector nothing: a program that makes many of them and
// forgets them grew by a hundred megabytes a second of work before a collection came.
#include "engine/core/jsc.h"

namespace {

constexpr size_t kWeight = 1024;

void report(JSC::VM& vm, size_t characters) { vm.heap.deprecatedReportExtraMemory(kWeight + characters); }
size_t length_of(const JSC::SourceCode* source) { return static_cast<size_t>(source->length()); }

}  // namespace

#define RONDO_NAME_(prefix, name) prefix##name
#define RONDO_NAME(prefix, name) RONDO_NAME_(prefix, name)

// The linker sends the engine's calls here (--wrap, see cmake/engine.cmake). The new object lies in the caller's frame, where the
// collector finds it.
#define RONDO_FUNCTION \
  _ZN3JSC9CodeCache35getUnlinkedGlobalFunctionExecutableERNS_2VMERKNS_10IdentifierERKNS_10SourceCodeEN3WTF9OptionSetINS_18CodeGenerationModeEEESt8optionalIiERNS_11ParserErrorE
extern "C" void* RONDO_NAME(__real_, RONDO_FUNCTION)(void* self, JSC::VM* vm, void* name, JSC::SourceCode* source,
                                                     uintptr_t modes, uintptr_t end, void* error);
extern "C" void* RONDO_NAME(__wrap_, RONDO_FUNCTION)(void* self, JSC::VM* vm, void* name, JSC::SourceCode* source,
                                                     uintptr_t modes, uintptr_t end, void* error) {
  void* made = RONDO_NAME(__real_, RONDO_FUNCTION)(self, vm, name, source, modes, end, error);
  if (made) report(*vm, length_of(source));
  return made;
}

#define RONDO_INDIRECT \
  _ZN3JSC22IndirectEvalExecutable9tryCreateEPNS_14JSGlobalObjectERKNS_10SourceCodeENS_18DerivedContextTypeEbNS_15EvalContextTypeE
extern "C" void* RONDO_NAME(__real_, RONDO_INDIRECT)(JSC::JSGlobalObject* realm, JSC::SourceCode* source,
                                                     uintptr_t derived, uintptr_t arrow, uintptr_t context);
extern "C" void* RONDO_NAME(__wrap_, RONDO_INDIRECT)(JSC::JSGlobalObject* realm, JSC::SourceCode* source,
                                                     uintptr_t derived, uintptr_t arrow, uintptr_t context) {
  void* made = RONDO_NAME(__real_, RONDO_INDIRECT)(realm, source, derived, arrow, context);
  if (made) report(realm->vm(), length_of(source));
  return made;
}

#define RONDO_DIRECT \
  _ZN3JSC20DirectEvalExecutable6createEPNS_14JSGlobalObjectERKNS_10SourceCodeENS_18DerivedContextTypeENS_26NeedsClassFieldInitializerENS_23PrivateBrandRequirementEbbNS_15EvalContextTypeEPKN3WTF7HashSetINSA_6RefPtrINSA_17UniquedStringImplENSA_12RawPtrTraitsISD_EENSA_21DefaultRefDerefTraitsISD_EEEENS_17IdentifierRepHashENSA_10HashTraitsISI_EENSA_15HashTableTraitsEEEPKNSA_7HashMapINSC_ISD_NSA_15PackedPtrTraitsISD_EESH_EENS_16PrivateNameEntryESJ_SL_NS_26PrivateNameEntryHashTraitsESM_EENS_8ECMAModeE
extern "C" void* RONDO_NAME(__real_, RONDO_DIRECT)(JSC::JSGlobalObject* realm, JSC::SourceCode* source,
                                                   uintptr_t derived, uintptr_t fields, uintptr_t brand,
                                                   uintptr_t arrow, uintptr_t inside, uintptr_t context, void* early,
                                                   void* privates, uintptr_t mode);
extern "C" void* RONDO_NAME(__wrap_, RONDO_DIRECT)(JSC::JSGlobalObject* realm, JSC::SourceCode* source,
                                                   uintptr_t derived, uintptr_t fields, uintptr_t brand,
                                                   uintptr_t arrow, uintptr_t inside, uintptr_t context, void* early,
                                                   void* privates, uintptr_t mode) {
  void* made = RONDO_NAME(__real_, RONDO_DIRECT)(realm, source, derived, fields, brand, arrow, inside, context, early,
                                                 privates, mode);
  if (made) report(realm->vm(), length_of(source));
  return made;
}

#define RONDO_REGEXP _ZN3JSC6RegExp20createWithoutCachingERNS_2VMERKN3WTF6StringENS3_9OptionSetINS_4Yarr5FlagsEEE
extern "C" void* RONDO_NAME(__real_, RONDO_REGEXP)(JSC::VM* vm, WTF::String* pattern, uintptr_t flags);
extern "C" void* RONDO_NAME(__wrap_, RONDO_REGEXP)(JSC::VM* vm, WTF::String* pattern, uintptr_t flags) {
  void* made = RONDO_NAME(__real_, RONDO_REGEXP)(vm, pattern, flags);
  if (made) report(*vm, pattern->length());
  return made;
}
