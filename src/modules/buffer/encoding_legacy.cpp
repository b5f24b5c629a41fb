#include "modules/buffer/encoding_legacy.h"

#include "engine/core/icu_converter.h"

#include <array>
#include <vector>

namespace rondo::modules {

namespace {

using engine::IcuConverter;

constexpr char16_t kReplacement = 0xfffd;

class LibraryDecoder final : public LegacyDecoder {
 public:
  explicit LibraryDecoder(std::unique_ptr<IcuConverter> converter) : converter_(std::move(converter)) {}
  bool decode(std::span<const uint8_t> bytes, bool flush, std::u16string& out) override {
    return converter_->decode(bytes, flush, out);
  }

 private:
  std::unique_ptr<IcuConverter> converter_;
};

// --- Single bytes

using Upper = std::array<char16_t, 128>;  // of the bytes from 0x80 on; kReplacement: none

// The library has no iso-8859-16; below 0xa0 it is as the others.
constexpr char16_t kLatin10[] =
    u"\u00a0\u0104\u0105\u0141\u20ac\u201e\u0160\u00a7\u0161\u00a9\u0218\u00ab\u0179\u00ad\u017a\u017b"
    u"\u00b0\u00b1\u010c\u0142\u017d\u201d\u00b6\u00b7\u017e\u010d\u0219\u00bb\u0152\u0153\u0178\u017c"
    u"\u00c0\u00c1\u00c2\u0102\u00c4\u0106\u00c6\u00c7\u00c8\u00c9\u00ca\u00cb\u00cc\u00cd\u00ce\u00cf"
    u"\u0110\u0143\u00d2\u00d3\u00d4\u0150\u00d6\u015a\u0170\u00d9\u00da\u00db\u00dc\u0118\u021a\u00df"
    u"\u00e0\u00e1\u00e2\u0103\u00e4\u0107\u00e6\u00e7\u00e8\u00e9\u00ea\u00eb\u00ec\u00ed\u00ee\u00ef"
    u"\u0111\u0144\u00f2\u00f3\u00f4\u0151\u00f6\u015b\u0171\u00f9\u00fa\u00fb\u00fc\u0119\u021b\u00ff";

struct Correction {
  std::string_view encoding;
  uint8_t byte;
  char16_t character;
};

// Where the library's tables are not those of the Standard.
constexpr Correction kCorrections[] = {
    {"koi8-u", 0xae, 0x045e},
    {"koi8-u", 0xbe, 0x040e},
    {"windows-1253", 0xaa, kReplacement},
    {"windows-1255", 0xca, 0x05ba},
    {"windows-874", 0xdb, kReplacement},
    {"windows-874", 0xdc, kReplacement},
    {"windows-874", 0xdd, kReplacement},
    {"windows-874", 0xde, kReplacement},
    {"windows-874", 0xfc, kReplacement},
    {"windows-874", 0xfd, kReplacement},
    {"windows-874", 0xfe, kReplacement},
    {"windows-874", 0xff, kReplacement},
};

bool is_single_byte(std::string_view encoding) {
  for (std::string_view family : {"ibm866", "iso-8859-", "koi8-", "macintosh", "windows-", "x-mac-"})
    if (encoding.starts_with(family)) return true;
  return false;
}

Upper upper_half(const std::string& encoding) {
  Upper upper;
  if (encoding == "iso-8859-16") {
    for (size_t i = 0; i < 32; i++) upper[i] = static_cast<char16_t>(0x80 + i);
    std::copy_n(kLatin10, 96, upper.begin() + 32);
    return upper;
  }
  auto converter = IcuConverter::open(encoding, false);
  for (size_t i = 0; i < upper.size(); i++) {
    const uint8_t byte = static_cast<uint8_t>(0x80 + i);
    std::u16string out;
    if (converter) converter->decode({&byte, 1}, true, out);
    upper[i] = out.size() == 1 ? out[0] : kReplacement;
  }
  for (const auto& correction : kCorrections)
    if (correction.encoding == encoding) upper[correction.byte - 0x80u] = correction.character;
  return upper;
}

class SingleByteDecoder final : public LegacyDecoder {
 public:
  SingleByteDecoder(const std::string& encoding, bool fatal) : upper_(upper_half(encoding)), fatal_(fatal) {}

  bool decode(std::span<const uint8_t> bytes, bool, std::u16string& out) override {
    out.reserve(out.size() + bytes.size());
    for (uint8_t byte : bytes) {
      const char16_t character = byte < 0x80 ? byte : upper_[byte - 0x80u];
      if (fatal_ && character == kReplacement) return false;
      out += character;
    }
    return true;
  }

 private:
  Upper upper_;
  bool fatal_;
};

// --- gb18030 (https://encoding.spec.whatwg.org/#gb18030-decoder), which is also the decoder of gbk

struct Pair {
  uint16_t bytes;
  char16_t character;
};

// Code points that the edition of 2022 changed, and those that the Standard reads otherwise than the library.
constexpr Pair kNewer[] = {
    {0xa6d9, 0xfe10}, {0xa6da, 0xfe12}, {0xa6db, 0xfe11}, {0xa6dc, 0xfe13}, {0xa6dd, 0xfe14},
    {0xa6de, 0xfe15}, {0xa6df, 0xfe16}, {0xa6ec, 0xfe17}, {0xa6ed, 0xfe18}, {0xa6f3, 0xfe19},
    {0xfe59, 0x9fb4}, {0xfe61, 0x9fb5}, {0xfe66, 0x9fb6}, {0xfe67, 0x9fb7}, {0xfe6d, 0x9fb8},
    {0xfe7e, 0x9fb9}, {0xfe90, 0x9fba}, {0xfea0, 0x9fbb}, {0xa3a0, 0x3000},
};

class Gb18030Decoder final : public LegacyDecoder {
 public:
  Gb18030Decoder(std::unique_ptr<IcuConverter> converter, bool fatal)
      : converter_(std::move(converter)), fatal_(fatal) {}

  bool decode(std::span<const uint8_t> bytes, bool flush, std::u16string& out) override {
    out_ = &out;
    failed_ = false;
    for (uint8_t byte : bytes) {
      read(byte);
      if (failed_) return false;
    }
    if (flush && first_ != 0) {
      first_ = second_ = third_ = 0;
      fail();
    }
    return !failed_;
  }

 private:
  void fail() {
    if (fatal_) failed_ = true;
    out_->push_back(kReplacement);
  }

  void read(uint8_t byte) {
    if (third_ != 0) return read_fourth(byte);
    if (second_ != 0) return read_third(byte);
    if (first_ != 0) return read_second(byte);
    if (byte < 0x80)
      out_->push_back(byte);
    else if (byte == 0x80)
      out_->push_back(0x20ac);
    else if (byte == 0xff)
      fail();
    else
      first_ = byte;
  }

  void read_second(uint8_t byte) {
    if (byte >= 0x30 && byte <= 0x39) {
      second_ = byte;
      return;
    }
    const uint8_t lead = std::exchange(first_, 0);
    const bool is_pair = (byte >= 0x40 && byte <= 0x7e) || (byte >= 0x80 && byte <= 0xfe);
    if (is_pair && append_pair(lead, byte)) return;
    fail();
    if (byte < 0x80) read(byte);
  }

  void read_third(uint8_t byte) {
    if (byte >= 0x81 && byte <= 0xfe) {
      third_ = byte;
      return;
    }
    const uint8_t second = std::exchange(second_, 0);
    first_ = 0;
    fail();
    read(second);
    read(byte);
  }

  void read_fourth(uint8_t byte) {
    const uint8_t bytes[] = {first_, second_, third_, byte};
    first_ = second_ = third_ = 0;
    if (byte < 0x30 || byte > 0x39) {
      fail();
      for (size_t i = 1; i < 4; i++) read(bytes[i]);
      return;
    }
    const uint32_t pointer =
        ((bytes[0] - 0x81u) * 10 + bytes[1] - 0x30u) * 1260 + (bytes[2] - 0x81u) * 10 + byte - 0x30u;
    if ((pointer > 39419 && pointer < 189000) || pointer > 1237575) return fail();
    if (pointer == 7457) return out_->push_back(0xe7c7);
    append_converted(bytes);
  }

  bool append_pair(uint8_t lead, uint8_t trail) {
    const auto both = static_cast<uint16_t>(lead << 8 | trail);
    for (const auto& newer : kNewer) {
      if (newer.bytes != both) continue;
      out_->push_back(newer.character);
      return true;
    }
    const uint8_t bytes[] = {lead, trail};
    return append_converted(bytes);
  }

  // A sequence that is whole goes to the library, which keeps nothing of it.
  bool append_converted(std::span<const uint8_t> bytes) {
    std::u16string made;
    if (!converter_->decode(bytes, true, made) || made.empty() || made[0] == kReplacement) {
      if (bytes.size() == 4) fail();
      return false;
    }
    *out_ += made;
    return true;
  }

  std::unique_ptr<IcuConverter> converter_;
  std::u16string* out_ = nullptr;
  bool fatal_;
  bool failed_ = false;
  uint8_t first_ = 0, second_ = 0, third_ = 0;
};

}  // namespace

std::unique_ptr<LegacyDecoder> LegacyDecoder::open(const std::string& encoding, bool fatal) {
  if (is_single_byte(encoding)) return std::make_unique<SingleByteDecoder>(encoding, fatal);
  if (encoding == "gbk" || encoding == "gb18030") {
    auto converter = IcuConverter::open("gb18030", false);
    return converter ? std::make_unique<Gb18030Decoder>(std::move(converter), fatal) : nullptr;
  }
  auto converter = IcuConverter::open(encoding, fatal);
  return converter ? std::make_unique<LibraryDecoder>(std::move(converter)) : nullptr;
}

}  // namespace rondo::modules
