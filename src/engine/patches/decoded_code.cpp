// Functions decoded from baked bytecode are compiled when they are hot, like all others. In the engine's build pinned in
// package.json a decoded code block keeps an execution counter of zero, which reads as "hot": every function of lib/, and the
// body of each of its files, was compiled at its first call (11 ms of CPU in a program with ten modules). The linker puts the
// two functions below before the engine's decoders (--wrap, see cmake/engine.cmake). May go when the engine's decoder sets the
// threshold itself.
#include "engine/core/jsc.h"

#include <JavaScriptCore/CachedTypes.h>
#include <JavaScriptCore/UnlinkedFunctionCodeBlock.h>

namespace {

using Bytecode = WTF::Ref<JSC::CachedBytecode>;
using FunctionSlot = JSC::WriteBarrier<JSC::UnlinkedFunctionCodeBlock>;

void start_counting(JSC::UnlinkedCodeBlock* code) {
  if (code)
    code->llintExecuteCounter().setNewThreshold(code->thresholdForJIT(JSC::Options::thresholdForJITAfterWarmUp()));
}

}  // namespace

#define RONDO_DECODER(result, name, symbol, ...)                \
  extern result real_##name(__VA_ARGS__) asm("__real_" symbol); \
  result wrap_##name(__VA_ARGS__) asm("__wrap_" symbol);        \
  result wrap_##name(__VA_ARGS__)

RONDO_DECODER(JSC::UnlinkedCodeBlock*, decode_program,
              "_ZN3JSC19decodeCodeBlockImplERNS_2VMERKNS_13SourceCodeKeyEN3WTF3RefINS_14CachedBytecodeE"
              "NS5_12RawPtrTraitsIS7_EEEE",
              JSC::VM& vm, const JSC::SourceCodeKey& key, Bytecode bytecode) {
  auto* code = real_decode_program(vm, key, WTFMove(bytecode));
  start_counting(code);
  return code;
}

RONDO_DECODER(void, decode_function,
              "_ZN3JSC23decodeFunctionCodeBlockERNS_7DecoderEiRNS_12WriteBarrierINS_25UnlinkedFunctionCodeBlockE"
              "N3WTF12RawPtrTraitsIS3_EEEEPKNS_6JSCellE",
              JSC::Decoder& decoder, int32_t offset, FunctionSlot& slot, const JSC::JSCell* owner) {
  real_decode_function(decoder, offset, slot, owner);
  start_counting(slot.get());
}
