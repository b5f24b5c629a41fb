// The interface of native('zlib') to the libraries: one running compression or decompression, whichever library does it. A codec belongs to
// no thread, but only one at a time may use it. Nothing of the engine here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rondo::modules::zlib {

// Unread input, and the room that is left for output.
struct Window {
  const uint8_t* in = nullptr;
  size_t in_left = 0;
  uint8_t* out = nullptr;
  size_t out_left = 0;
};

// As Node words it.
struct Failure {
  std::string message;
  std::string code;
  int number = 0;
};

inline constexpr int kNoFlush = 0;  // in each of the three libraries
inline constexpr size_t kMostAtOnce = size_t{1} << 30;  // zlib counts in 32 bits

class Codec {
 public:
  virtual ~Codec() = default;

  // Works until the input is taken in or the room is full: room that is left means that nothing more will come.
  std::optional<Failure> run(Window& window, int flush);
  // As at the beginning.
  virtual std::optional<Failure> reset() = 0;
  virtual std::optional<Failure> set_params(int, int) { return {}; }

 protected:
  // Neither size is above kMostAtOnce.
  virtual std::optional<Failure> step(Window& window, int flush) = 0;
};

// Node's numbers for them.
enum class Mode : uint8_t {
  None,
  Deflate,
  Inflate,
  Gzip,
  Gunzip,
  DeflateRaw,
  InflateRaw,
  Unzip,
  BrotliDecode,
  BrotliEncode,
  ZstdCompress,
  ZstdDecompress
};

struct ZlibSettings {
  Mode mode = Mode::None;
  int window_bits = 0;
  int level = 0;
  int memory_level = 0;
  int strategy = 0;
  bool rejects_garbage = false;
  std::vector<uint8_t> dictionary;
};
using Parameters = std::vector<std::pair<int, uint32_t>>;

// Exactly one of the two is there.
struct Made {
  std::unique_ptr<Codec> codec;
  std::optional<Failure> failure;
};
std::unique_ptr<Codec> make_zlib(ZlibSettings settings);
Made make_brotli(Mode mode, const Parameters& parameters);
Made make_zstd(Mode mode, const Parameters& parameters, std::optional<uint64_t> pledged_size,
               std::span<const uint8_t> dictionary);
std::string brotli_version();
std::string zstd_version();

}  // namespace rondo::modules::zlib
