// Brotli. See zlib_codec.h.
#include "modules/zlib/zlib_codec.h"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <zlib.h>

namespace rondo::modules::zlib {

namespace {

struct Free {
  void operator()(BrotliEncoderState* state) const { BrotliEncoderDestroyInstance(state); }
  void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
};

const Failure kNoInstance{"Could not initialize Brotli instance", "ERR_ZLIB_INITIALIZATION_FAILED", -1};
const Failure kBadParameter{"Setting parameter failed", "ERR_BROTLI_PARAM_SET_FAILED", -1};

// As later versions of the library tell it: BrotliDecoderErrorString leaves out the first words.
const char* name_of(BrotliDecoderErrorCode code) {
  switch (code) {
#define CASE(PREFIX, NAME, CODE)     \
  case BROTLI_DECODER##PREFIX##NAME: \
    return "ERR_" #PREFIX #NAME;
#define NOTHING
    BROTLI_DECODER_ERROR_CODES_LIST(CASE, NOTHING)
#undef NOTHING
#undef CASE
    default:
      return "ERR__ERROR_UNREACHABLE";
  }
}

class Encoder final : public Codec {
 public:
  explicit Encoder(Parameters parameters) : parameters_(std::move(parameters)) {}

  std::optional<Failure> reset() override {
    state_.reset(BrotliEncoderCreateInstance(nullptr, nullptr, nullptr));
    if (!state_) return kNoInstance;
    for (auto [key, value] : parameters_)
      if (!BrotliEncoderSetParameter(state_.get(), static_cast<BrotliEncoderParameter>(key), value))
        return kBadParameter;
    return {};
  }

 protected:
  std::optional<Failure> step(Window& window, int flush) override {
    const bool went_well =
        BrotliEncoderCompressStream(state_.get(), static_cast<BrotliEncoderOperation>(flush), &window.in_left,
                                    &window.in, &window.out_left, &window.out, nullptr) == BROTLI_TRUE;
    if (!went_well) return Failure{"Compression failed", "ERR_BROTLI_COMPRESSION_FAILED", -1};
    return {};
  }

 private:
  Parameters parameters_;
  std::unique_ptr<BrotliEncoderState, Free> state_;
};

class Decoder final : public Codec {
 public:
  explicit Decoder(Parameters parameters) : parameters_(std::move(parameters)) {}

  std::optional<Failure> reset() override {
    state_.reset(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
    if (!state_) return kNoInstance;
    for (auto [key, value] : parameters_)
      if (!BrotliDecoderSetParameter(state_.get(), static_cast<BrotliDecoderParameter>(key), value))
        return kBadParameter;
    return {};
  }

 protected:
  std::optional<Failure> step(Window& window, int flush) override {
    const auto result = BrotliDecoderDecompressStream(state_.get(), &window.in_left, &window.in, &window.out_left,
                                                      &window.out, nullptr);
    if (result == BROTLI_DECODER_RESULT_ERROR) {
      const auto code = BrotliDecoderGetErrorCode(state_.get());
      return Failure{"Decompression failed", name_of(code), code};
    }
    if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT && flush == BROTLI_OPERATION_FINISH)
      return Failure{"unexpected end of file", "Z_BUF_ERROR", Z_BUF_ERROR};
    return {};
  }

 private:
  Parameters parameters_;
  std::unique_ptr<BrotliDecoderState, Free> state_;
};

}  // namespace

std::string brotli_version() {
  const auto number = BrotliDecoderVersion();  // 8, 12 and 12 bits
  return std::to_string(number >> 24) + "." + std::to_string(number >> 12 & 0xfff) + "." +
         std::to_string(number & 0xfff);
}

Made make_brotli(Mode mode, const Parameters& parameters) {
  std::unique_ptr<Codec> codec;
  if (mode == Mode::BrotliEncode)
    codec = std::make_unique<Encoder>(parameters);
  else
    codec = std::make_unique<Decoder>(parameters);
  if (auto failure = codec->reset()) return {nullptr, failure};
  return {std::move(codec), {}};
}

}  // namespace rondo::modules::zlib
