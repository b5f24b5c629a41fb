// Zstandard. See zlib_codec.h.
#include "modules/zlib/zlib_codec.h"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <array>
#include <utility>

namespace rondo::modules::zlib {

namespace {

struct Free {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

const Failure kNoInstance{"Could not initialize zstd instance", "ERR_ZLIB_INITIALIZATION_FAILED", -1};
const Failure kBadParameter{"Setting parameter failed", "ERR_ZSTD_PARAM_SET_FAILED", -1};
const Failure kBadDictionary{"Failed to load zstd dictionary", "ERR_ZLIB_DICTIONARY_LOAD_FAILED", -1};

#define RONDO_ZSTD_ERRORS(each)                                                                                     \
  each(no_error) each(GENERIC) each(prefix_unknown) each(version_unsupported) each(frameParameter_unsupported)      \
      each(frameParameter_windowTooLarge) each(corruption_detected) each(checksum_wrong) each(dictionary_corrupted) \
          each(dictionary_wrong) each(dictionaryCreation_failed) each(parameter_unsupported)                        \
              each(parameter_outOfBound) each(tableLog_tooLarge) each(maxSymbolValue_tooLarge)                      \
                  each(maxSymbolValue_tooSmall) each(stage_wrong) each(init_missing) each(memory_allocation)        \
                      each(workSpace_tooSmall) each(dstSize_tooSmall) each(srcSize_wrong) each(dstBuffer_null)

const char* name_of(ZSTD_ErrorCode code) {
  switch (code) {
#define CASE(name)        \
  case ZSTD_error_##name: \
    return "ZSTD_error_" #name;
    RONDO_ZSTD_ERRORS(CASE)
#undef CASE
    default:
      return "ZSTD_error_GENERIC";
  }
}

Failure failure_of(ZSTD_ErrorCode code) { return {ZSTD_getErrorString(code), name_of(code), code}; }

class Compressor final : public Codec {
 public:
  Compressor(Parameters parameters, std::optional<uint64_t> pledged, std::span<const uint8_t> dictionary)
      : parameters_(std::move(parameters)), pledged_(pledged), dictionary_(dictionary.begin(), dictionary.end()) {}

  std::optional<Failure> reset() override {
    context_.reset(ZSTD_createCCtx());
    taken_ = 0;
    if (!context_) return kNoInstance;
    if (!dictionary_.empty() &&
        ZSTD_isError(ZSTD_CCtx_loadDictionary(context_.get(), dictionary_.data(), dictionary_.size())))
      return kBadDictionary;
    if (pledged_ && ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context_.get(), *pledged_)))
      return Failure{"Could not set pledged src size", "ERR_ZLIB_INITIALIZATION_FAILED", -1};
    for (auto [key, value] : parameters_) {
      const auto number = static_cast<int>(value);
      if (ZSTD_isError(ZSTD_CCtx_setParameter(context_.get(), static_cast<ZSTD_cParameter>(key), number)))
        return kBadParameter;
    }
    return {};
  }

 protected:
  std::optional<Failure> step(Window& window, int flush) override {
    ZSTD_inBuffer in{window.in, window.in_left, 0};
    ZSTD_outBuffer out{window.out, window.out_left, 0};
    const size_t left = ZSTD_compressStream2(context_.get(), &out, &in, static_cast<ZSTD_EndDirective>(flush));
    window = {window.in + in.pos, in.size - in.pos, window.out + out.pos, out.size - out.pos};
    taken_ += in.pos;
    if (ZSTD_isError(left)) return failure_of(ZSTD_getErrorCode(left));
    // The library does not check the promised size of data that ends with its first piece.
    if (left == 0 && flush == ZSTD_e_end && pledged_ && taken_ != *pledged_)
      return failure_of(ZSTD_error_srcSize_wrong);
    return {};
  }

 private:
  Parameters parameters_;
  std::optional<uint64_t> pledged_;
  std::vector<uint8_t> dictionary_;
  uint64_t taken_ = 0;
  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

class Decompressor final : public Codec {
 public:
  Decompressor(Parameters parameters, std::span<const uint8_t> dictionary)
      : parameters_(std::move(parameters)), dictionary_(dictionary.begin(), dictionary.end()) {}

  std::optional<Failure> reset() override {
    context_.reset(ZSTD_createDCtx());
    is_between_frames_ = false;
    magic_size_ = 0;
    if (!context_) return kNoInstance;
    if (!dictionary_.empty() &&
        ZSTD_isError(ZSTD_DCtx_loadDictionary(context_.get(), dictionary_.data(), dictionary_.size())))
      return kBadDictionary;
    for (auto [key, value] : parameters_) {
      const auto number = static_cast<int>(value);
      if (ZSTD_isError(ZSTD_DCtx_setParameter(context_.get(), static_cast<ZSTD_dParameter>(key), number)))
        return kBadParameter;
    }
    return {};
  }

 protected:
  std::optional<Failure> step(Window& window, int flush) override {
    while (!is_between_frames_ || take_magic(window)) {
      if (auto failure = magic_size_ != 0 ? begin_frame(window) : decompress(window)) return failure;
      if (window.in_left == 0 || window.out_left == 0) break;
    }
    if (flush == ZSTD_e_end && !is_between_frames_ && window.in_left == 0 && window.out_left != 0)
      return Failure{"unexpected end of file", "Z_BUF_ERROR", Z_BUF_ERROR};
    return {};
  }

 private:
  static constexpr size_t kMagicSize = 4;

  // Whether `byte` may stand at `at` of the number that begins a frame, a skippable one included.
  static bool is_magic(size_t at, uint8_t byte, uint8_t first) {
    constexpr std::array<uint8_t, kMagicSize> frame{0x28, 0xb5, 0x2f, 0xfd}, skippable{0x50, 0x2a, 0x4d, 0x18};
    if (at == 0) return byte == frame[0] || (byte & 0xf0) == skippable[0];
    return byte == (first == frame[0] ? frame : skippable)[at];
  }

  // After a frame: whether another one begins. The input may bring the bytes of its number one by one; all else is rubbish, left unread.
  bool take_magic(Window& window) {
    while (magic_size_ < kMagicSize) {
      if (window.in_left == 0 || !is_magic(magic_size_, *window.in, magic_[0])) return false;
      magic_[magic_size_++] = *window.in++;
      window.in_left--;
    }
    return true;
  }

  std::optional<Failure> begin_frame(Window& window) {
    Window head{magic_.data(), std::exchange(magic_size_, 0), window.out, window.out_left};
    return decompress(head);
  }

  std::optional<Failure> decompress(Window& window) {
    ZSTD_inBuffer in{window.in, window.in_left, 0};
    ZSTD_outBuffer out{window.out, window.out_left, 0};
    const size_t left = ZSTD_decompressStream(context_.get(), &out, &in);
    window = {window.in + in.pos, in.size - in.pos, window.out + out.pos, out.size - out.pos};
    is_between_frames_ = left == 0;
    if (ZSTD_isError(left)) return failure_of(ZSTD_getErrorCode(left));
    return {};
  }

  Parameters parameters_;
  std::vector<uint8_t> dictionary_;
  bool is_between_frames_ = false;
  std::array<uint8_t, kMagicSize> magic_{};
  size_t magic_size_ = 0;
  std::unique_ptr<ZSTD_DCtx, Free> context_;
};

}  // namespace

std::string zstd_version() { return ZSTD_versionString(); }

Made make_zstd(Mode mode, const Parameters& parameters, std::optional<uint64_t> pledged_size,
               std::span<const uint8_t> dictionary) {
  std::unique_ptr<Codec> codec;
  if (mode == Mode::ZstdCompress)
    codec = std::make_unique<Compressor>(parameters, pledged_size, dictionary);
  else
    codec = std::make_unique<Decompressor>(parameters, dictionary);
  if (auto failure = codec->reset()) return {nullptr, failure};
  return {std::move(codec), {}};
}

}  // namespace rondo::modules::zlib
