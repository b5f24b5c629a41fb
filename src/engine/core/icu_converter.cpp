#include "engine/core/icu_converter.h"

// The engine's archives carry the library with its version in every name, and bring no headers for it; the few functions
// used are declared here. cmake/engine.cmake reads the version from the archive.
#define RONDO_ICU_JOIN(name, version) name##_##version
#define RONDO_ICU_NAME(name, version) RONDO_ICU_JOIN(name, version)
#define ICU(name) RONDO_ICU_NAME(name, RONDO_ICU_VERSION)

extern "C" {
void* ICU(ucnv_open)(const char* name, int* error);
void ICU(ucnv_close)(void* converter);
void ICU(ucnv_toUnicode)(void* converter, char16_t** target, const char16_t* target_limit, const char** source,
                         const char* source_limit, int32_t* offsets, int8_t flush, int* error);
using ToUnicodeCallback = void (*)(const void*, void*, const char*, int32_t, int, int*);
void ICU(ucnv_setToUCallBack)(void* converter, ToUnicodeCallback action, const void* context,
                              ToUnicodeCallback* old_action, const void** old_context, int* error);
void ICU(ucnv_cbToUWriteUChars)(void* arguments, const char16_t* source, int32_t length, int32_t offset, int* error);
void ICU(UCNV_TO_U_CALLBACK_STOP)(const void*, void*, const char*, int32_t, int, int*);
}

namespace rondo::engine {

namespace {

constexpr int kZeroError = 0;
constexpr int kBufferOverflow = 15;

// The library's own callback writes a control character for some encodings.
void replace(const void*, void* arguments, const char*, int32_t, int reason, int* error) {
  constexpr int kLastKindOfError = 2;  // unassigned, illegal, irregular; the other reasons are no input
  if (reason > kLastKindOfError) return;
  *error = kZeroError;
  const char16_t replacement = 0xfffd;
  ICU(ucnv_cbToUWriteUChars)(arguments, &replacement, 1, 0, error);
}

// Names the Standard and the library do not share.
std::string library_name(const std::string& encoding) {
  if (encoding == "iso-8859-8-i") return "iso-8859-8";
  if (encoding == "x-mac-cyrillic") return "x-mac-ukraine";
  if (encoding == "big5") return "big5-hkscs";
  if (encoding == "shift_jis") return "windows-31j";
  if (encoding == "euc-kr") return "windows-949";
  return encoding;
}

}  // namespace

std::unique_ptr<IcuConverter> IcuConverter::open(const std::string& encoding, bool fatal) {
  int error = kZeroError;
  void* converter = ICU(ucnv_open)(library_name(encoding).c_str(), &error);
  if (error > kZeroError || converter == nullptr) return nullptr;
  ToUnicodeCallback old_action;
  const void* old_context;
  ICU(ucnv_setToUCallBack)
  (converter, fatal ? ICU(UCNV_TO_U_CALLBACK_STOP) : replace, nullptr, &old_action, &old_context, &error);
  return std::unique_ptr<IcuConverter>(new IcuConverter(converter));
}

IcuConverter::~IcuConverter() { ICU(ucnv_close)(converter_); }

bool IcuConverter::decode(std::span<const uint8_t> bytes, bool flush, std::u16string& out) {
  const char* source = reinterpret_cast<const char*>(bytes.data());
  const char* source_limit = source + bytes.size();
  char16_t chunk[1024];
  for (;;) {
    char16_t* target = chunk;
    int error = kZeroError;
    ICU(ucnv_toUnicode)(converter_, &target, chunk + 1024, &source, source_limit, nullptr, flush ? 1 : 0, &error);
    out.append(chunk, static_cast<size_t>(target - chunk));
    if (error == kBufferOverflow) continue;
    return error <= kZeroError;
  }
}

}  // namespace rondo::engine
