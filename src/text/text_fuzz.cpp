// Any bytes through UTF-8, base64 and hexadecimal: no access beyond the room that was promised, and the ways agree.
#include "text/base64.h"
#include "text/utf8.h"

#include <cstdlib>
#include <vector>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void utf8_agrees(rondo::utf8::Bytes bytes) {
  using namespace rondo::utf8;
  std::vector<char16_t> units(bytes.size());
  units.resize(decode_lossy(bytes, units.data()));
  std::vector<std::uint8_t> back(length(units));
  require(encode(units, back) == back.size());
  const bool valid = is_valid(bytes);
  if (valid) require(std::vector<std::uint8_t>(bytes.begin(), bytes.end()) == back);
  const Shape shape = measure(bytes);
  if (!valid) return;
  std::vector<char16_t> strict(shape.units);
  require(decode(bytes, strict) && strict == units);
  if (!shape.latin1) return;
  std::vector<std::uint8_t> latin1(shape.units);
  require(decode_latin1(bytes, latin1));
  std::vector<std::uint8_t> again(length_of_latin1(latin1));
  require(encode_latin1(latin1, again) == again.size() && again == back);
}

void base64_agrees(std::span<const std::uint8_t> bytes) {
  using namespace rondo::base64;
  for (const Alphabet alphabet : {Alphabet::Standard, Alphabet::Url}) {
    std::vector<std::uint8_t> text(encoded_size(bytes.size(), alphabet));
    encode(bytes, alphabet, text.data());
    std::vector<std::uint8_t> back(decoded_size_limit(text.size()));
    back.resize(decode(std::span<const std::uint8_t>(text), back));
    require(std::vector<std::uint8_t>(bytes.begin(), bytes.end()) == back);
  }
  std::vector<std::uint8_t> out(decoded_size_limit(bytes.size()));
  require(decode(bytes, out) <= out.size());
  require(forgiving_decode(bytes, out).size <= out.size());
  std::vector<std::uint8_t> digits(bytes.size() * 2), pairs(bytes.size());
  rondo::hex::encode(bytes, digits.data());
  require(rondo::hex::decode(std::span<const std::uint8_t>(digits), pairs) == bytes.size());
  rondo::hex::decode(bytes, pairs);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  utf8_agrees({data, size});
  base64_agrees({data, size});
  return 0;
}
