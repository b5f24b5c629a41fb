// Deflate, zlib, gzip, and what tells them apart by itself, over zlib. See zlib_codec.h.
#include "modules/zlib/zlib_codec.h"

#include <zlib.h>

#include <algorithm>

namespace rondo::modules::zlib {

std::optional<Failure> Codec::run(Window& window, int flush) {
  for (;;) {
    const size_t in = std::min(window.in_left, kMostAtOnce), out = std::min(window.out_left, kMostAtOnce);
    const bool is_last = in == window.in_left;
    Window part{window.in, in, window.out, out};
    auto failure = step(part, is_last ? flush : kNoFlush);
    window.in = part.in;
    window.out = part.out;
    window.in_left -= in - part.in_left;
    window.out_left -= out - part.out_left;
    if (failure) return failure;
    const bool is_done = part.out_left != 0 && (is_last || part.in_left != 0);
    if (is_done || window.out_left == 0) return {};
  }
}

namespace {

constexpr uint8_t kGzipMagic[] = {0x1f, 0x8b};

const char* name_of(int status) {
  switch (status) {
    case Z_OK:
      return "Z_OK";
    case Z_STREAM_END:
      return "Z_STREAM_END";
    case Z_NEED_DICT:
      return "Z_NEED_DICT";
    case Z_ERRNO:
      return "Z_ERRNO";
    case Z_STREAM_ERROR:
      return "Z_STREAM_ERROR";
    case Z_DATA_ERROR:
      return "Z_DATA_ERROR";
    case Z_MEM_ERROR:
      return "Z_MEM_ERROR";
    case Z_BUF_ERROR:
      return "Z_BUF_ERROR";
    case Z_VERSION_ERROR:
      return "Z_VERSION_ERROR";
    default:
      return "Z_UNKNOWN_ERROR";
  }
}

class Zlib final : public Codec {
 public:
  explicit Zlib(ZlibSettings settings) : settings_(std::move(settings)) {
    compresses_ = settings_.mode == Mode::Deflate || settings_.mode == Mode::Gzip || settings_.mode == Mode::DeflateRaw;
    is_gzip_ = settings_.mode == Mode::Gunzip;
    has_format_ = settings_.mode != Mode::Unzip;
  }
  ~Zlib() override {
    if (!is_begun_) return;
    if (compresses_)
      deflateEnd(&stream_);
    else
      inflateEnd(&stream_);
  }

  std::optional<Failure> reset() override {
    if (auto failure = begin("Failed to init stream before reset")) return failure;
    status_ = compresses_ ? deflateReset(&stream_) : inflateReset(&stream_);
    if (status_ != Z_OK) return failure("Failed to reset stream");
    return load_dictionary();
  }

  std::optional<Failure> set_params(int level, int strategy) override {
    if (auto failure = begin("Failed to init stream before set parameters")) return failure;
    if (settings_.mode != Mode::Deflate && settings_.mode != Mode::DeflateRaw) return {};
    // Output held back may need room; it comes with the next step.
    status_ = deflateParams(&stream_, level, strategy);
    if (status_ != Z_OK && status_ != Z_BUF_ERROR) return failure("Failed to set parameters");
    return {};
  }

 protected:
  std::optional<Failure> step(Window& window, int flush) override {
    if (auto failure = begin("Zlib error")) return failure;
    stream_.next_in = const_cast<Bytef*>(window.in);
    stream_.avail_in = static_cast<uInt>(window.in_left);
    stream_.next_out = window.out;
    stream_.avail_out = static_cast<uInt>(window.out_left);
    if (compresses_)
      status_ = deflate(&stream_, flush);
    else
      decompress(flush);
    window = {stream_.next_in, stream_.avail_in, stream_.next_out, stream_.avail_out};
    return judge(flush);
  }

 private:
  // The first use allocates a quarter of a megabyte: not in the constructor, which runs on the loop's thread.
  std::optional<Failure> begin(const char* message) {
    if (is_begun_) return {};
    const int bits = window_bits();
    status_ = compresses_ ? deflateInit2(&stream_, settings_.level, Z_DEFLATED, bits, settings_.memory_level,
                                         settings_.strategy)
                          : inflateInit2(&stream_, bits);
    if (status_ != Z_OK) return failure(message);
    is_begun_ = true;
    // Only a deflate stream that has begun already refuses a dictionary.
    load_dictionary();
    return {};
  }

  int window_bits() const {
    constexpr int kGzip = 16, kAny = 32;  // zlib's way to say so
    switch (settings_.mode) {
      case Mode::Gzip:
      case Mode::Gunzip:
        return settings_.window_bits + kGzip;
      case Mode::Unzip:
        return settings_.window_bits + kAny;
      case Mode::DeflateRaw:
      case Mode::InflateRaw:
        return -settings_.window_bits;
      default:
        return settings_.window_bits;
    }
  }

  // Other kinds ask for it when they have read their header.
  std::optional<Failure> load_dictionary() {
    const auto& words = settings_.dictionary;
    if (words.empty()) return {};
    const auto size = static_cast<uInt>(words.size());
    status_ = Z_OK;
    if (settings_.mode == Mode::Deflate || settings_.mode == Mode::DeflateRaw)
      status_ = deflateSetDictionary(&stream_, words.data(), size);
    else if (settings_.mode == Mode::InflateRaw)
      status_ = inflateSetDictionary(&stream_, words.data(), size);
    if (status_ != Z_OK) return failure("Failed to set dictionary");
    return {};
  }

  // Unzip: zlib tells the formats apart, but only gzip may have several members.
  void look_for_magic() {
    for (uInt i = 0; !has_format_ && i < stream_.avail_in; i++) {
      if (stream_.next_in[i] != kGzipMagic[magic_seen_]) {
        has_format_ = true;
      } else if (++magic_seen_ == std::size(kGzipMagic)) {
        has_format_ = is_gzip_ = true;
      }
    }
  }

  void decompress(int flush) {
    if (!has_format_) look_for_magic();
    status_ = inflate(&stream_, flush);
    const auto& words = settings_.dictionary;
    if (status_ == Z_NEED_DICT && settings_.mode != Mode::InflateRaw && !words.empty()) {
      status_ = inflateSetDictionary(&stream_, words.data(), static_cast<uInt>(words.size()));
      if (status_ == Z_OK)
        status_ = inflate(&stream_, flush);
      else if (status_ == Z_DATA_ERROR)
        status_ = Z_NEED_DICT;  // the dictionary is bad, not the data
    }
    // Another member, or rubbish. Zeros are padding.
    while (status_ == Z_STREAM_END && is_gzip_ && !settings_.rejects_garbage && stream_.avail_in > 0 &&
           stream_.next_in[0] != 0) {
      inflateReset(&stream_);
      status_ = inflate(&stream_, flush);
    }
  }

  std::optional<Failure> judge(int flush) const {
    switch (status_) {
      case Z_STREAM_END:
        return {};
      case Z_OK:
      case Z_BUF_ERROR:
        if (stream_.avail_out != 0 && flush == Z_FINISH) return failure("unexpected end of file");
        return {};
      case Z_NEED_DICT:
        return failure(settings_.dictionary.empty() ? "Missing dictionary" : "Bad dictionary");
      default:
        return failure("Zlib error");
    }
  }

  Failure failure(const char* message) const {
    return {stream_.msg ? stream_.msg : message, name_of(status_), status_};
  }

  ZlibSettings settings_;
  z_stream stream_{};
  int status_ = Z_OK;
  bool compresses_ = false;
  bool is_begun_ = false;
  bool is_gzip_ = false;
  bool has_format_ = false;
  size_t magic_seen_ = 0;
};

}  // namespace

std::unique_ptr<Codec> make_zlib(ZlibSettings settings) { return std::make_unique<Zlib>(std::move(settings)); }

}  // namespace rondo::modules::zlib
