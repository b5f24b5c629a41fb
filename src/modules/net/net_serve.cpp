// native('serve'): the hot half of rondo:serve. The fields of a plain object become the text of a head in one call; an answer whose
// body is known goes out in one write. Also the masks of WebSocket frames. Requests are read by native('http').
#include "modules/net/net_handles.h"

#include <JavaScriptCore/JSCInlines.h>

#include <array>
#include <ctime>
#include <string>

namespace rondo::modules {

using namespace engine;

namespace {

using net::StreamObject;
using runtime::Continuation;
using runtime::method;
using runtime::Source;

constexpr Source kAnswer{"serve answer", "WRITEWRAP"};

using Latin = std::span<const LChar>;

// The first character of a block of fields says which it has of those that an answer gets otherwise.
constexpr LChar kPlain = '0', kHasType = 1, kHasDate = 2;

constexpr auto kIsToken = [] {
  std::array<bool, 256> table{};
  for (char c : std::string_view("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

bool is_name(Latin text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](LChar c) { return kIsToken[c]; });
}

// As the Fetch Standard has it after normalizing, so that nothing has to be stripped.
bool is_value(Latin text) {
  const auto blank = [](LChar c) { return c == ' ' || c == '\t'; };
  if (!text.empty() && (blank(text.front()) || blank(text.back()))) return false;
  return std::none_of(text.begin(), text.end(), [](LChar c) { return c == 0 || c == '\r' || c == '\n'; });
}

bool is(Latin name, std::string_view lower) {
  return name.size() == lower.size() &&
         std::equal(name.begin(), name.end(), lower.begin(), [](LChar a, char b) { return WTF::toASCIILower(a) == b; });
}

// Fields about the connection or the length: a response that sets one is sent the slow way, which looks at each.
bool is_framing(Latin name) {
  switch (name.size()) {
    case 7:
      return is(name, "trailer") || is(name, "upgrade");
    case 10:
      return is(name, "connection") || is(name, "keep-alive");
    case 14:
      return is(name, "content-length");
    case 17:
      return is(name, "transfer-encoding");
    default:
      return false;
  }
}

struct ServeState {
  std::string out;
  std::string date;
  time_t second = 0;
};

bool append_field(std::string& out, LChar& marks, UniquedStringImpl* name, Value value) {
  if (name->isSymbol() || !name->is8Bit() || !value.isString()) return false;
  auto text = JSC::asString(value)->tryGetValue();
  if (text.isNull() || !text.is8Bit()) return false;
  const WTF::String owned(name);
  const Latin key = owned.span8(), content = text.span8();
  if (!is_name(key) || !is_value(content) || is_framing(key)) return false;
  if (is(key, "content-type")) marks |= kHasType;
  if (is(key, "date")) marks |= kHasDate;
  out.append(reinterpret_cast<const char*>(key.data()), key.size());
  out += ": ";
  out.append(reinterpret_cast<const char*>(content.data()), content.size());
  out += "\r\n";
  return true;
}

// headerBlock(object) → marks and `Name: value` lines, or undefined when the object is not a plain one with plain values. Nothing
// of the program runs: accessors, symbols and everything else that needs conversion make the answer undefined.
Value header_block(Call& call) {
  auto* object = call.object(0);
  if (!object || object->type() != JSC::FinalObjectType || object->structure()->isDictionary()) return call.undefined();
  auto* structure = object->structure();
  if (JSC::hasIndexedProperties(structure->indexingType())) return call.undefined();
  auto& out = runtime::Runtime::from(call.realm()).local<ServeState>().out;
  out.assign(1, kPlain);
  LChar marks = kPlain;
  bool simple = true;
  structure->forEachProperty(call.vm(), [&](const JSC::PropertyTableEntry& entry) {
    constexpr unsigned kOdd =
        JSC::PropertyAttribute::DontEnum | JSC::PropertyAttribute::Accessor | JSC::PropertyAttribute::CustomAccessor;
    simple =
        (entry.attributes() & kOdd) == 0 && append_field(out, marks, entry.key(), object->getDirect(entry.offset()));
    return simple;
  });
  if (!simple) return call.undefined();
  out[0] = static_cast<char>(marks);
  return call.value(
      JSC::jsString(call.vm(), WTF::String(Latin(reinterpret_cast<const LChar*>(out.data()), out.size()))));
}

void append(std::string& out, Latin text) { out.append(reinterpret_cast<const char*>(text.data()), text.size()); }

void append_date(ServeState& state) {
  const time_t now = time(nullptr);
  if (now != state.second) {
    state.second = now;
    char text[64];
    tm parts{};
    gmtime_r(&now, &parts);
    state.date.assign(text, strftime(text, sizeof text, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts));
  }
  state.out += state.date;
}

constexpr int32_t kClose = 1, kNoBody = 2, kKeepAlive = 4;

// The bytes of a body: a text is held in UTF-8, a view is used where it lies.
struct Body {
  WTF::String text;
  std::string utf8;
  std::string_view bytes;
};

bool read_body(Call& call, unsigned index, Body& body) {
  Value value = call.at(index);
  if (!value.isString()) {
    auto bytes = call.bytes(index);
    body.bytes = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    return true;
  }
  body.text = JSC::asString(value)->value(call.realm());
  if (call.failed()) return false;
  if (body.text.is8Bit() && body.text.containsOnlyASCII()) {
    body.bytes = {reinterpret_cast<const char*>(body.text.span8().data()), body.text.length()};
    return true;
  }
  body.utf8 = to_utf8(call.realm(), body.text);
  body.bytes = body.utf8;
  return !call.failed();
}

// Line of the status, fields, and what every answer has; the body too when there is room for it.
void put_together(ServeState& state, Latin line, Latin block, Latin type, const Body& body, int32_t flags) {
  auto& out = state.out;
  out.clear();
  append(out, line);
  const unsigned marks = block.empty() ? 0 : block.front() - kPlain;
  if (!block.empty()) append(out, block.subspan(1));
  if (!type.empty() && (marks & kHasType) == 0) {
    out += "Content-Type: ";
    append(out, type);
    out += "\r\n";
  }
  if ((marks & kHasDate) == 0) append_date(state);
  if ((flags & kClose) != 0) out += "Connection: close\r\n";
  if ((flags & kKeepAlive) != 0) out += "Connection: keep-alive\r\n";
  out += "Content-Length: ";
  out += std::to_string(body.bytes.size());
  out += "\r\n\r\n";
}

// Tries to send everything at once; what is left is copied, and `callback(status)` says when it is gone.
Value send(Call& call, StreamObject& stream, std::span<const iovec> pieces, unsigned callback) {
  size_t size = 0;
  for (const auto& piece : pieces) size += piece.iov_len;
  auto taken = stream.stream().try_write(pieces);
  if (!taken) return call.value(-taken.error().number);
  if (*taken == size) return call.value(0);
  std::string rest;
  rest.reserve(size - *taken);
  size_t skip = *taken;
  for (const auto& piece : pieces) {
    const size_t here = std::min(skip, piece.iov_len);
    rest.append(static_cast<const char*>(piece.iov_base) + here, piece.iov_len - here);
    skip -= here;
  }
  Continuation then(runtime::Runtime::from(call.realm()), call.function(callback), kAnswer);
  auto done = [then = std::move(then)](Result<void> result) mutable { then(net::status_of(result)); };
  auto written = stream.stream().write_copy(as_bytes(rest), std::move(done));
  if (!written) return call.value(-written.error().number);
  return call.value(*written == Progress::Queued ? 1 : 0);
}

// respond(status line, block or undefined, type of the body, body, flags, callback(status)) → 0 when everything is sent, 1
// when the callback will follow, a negative errno
Value respond(Call& call, StreamObject& stream) {
  const auto line = call.wtf_string(0), block = call.at(1).isString() ? call.wtf_string(1) : WTF::String();
  const auto type = call.at(2).isString() ? call.wtf_string(2) : WTF::String();
  Body body;
  if (call.failed() || !read_body(call, 3, body)) return {};
  auto& state = runtime::Runtime::from(call.realm()).local<ServeState>();
  const int32_t flags = call.int32(4);
  const auto latin = [](const WTF::String& text) { return text.isNull() ? Latin() : text.span8(); };
  put_together(state, latin(line), latin(block), latin(type), body, flags);
  constexpr size_t kSmall = 16 * 1024;
  const std::string_view content = (flags & kNoBody) != 0 ? std::string_view() : body.bytes;
  if (content.size() <= kSmall) state.out += content;
  const iovec pieces[] = {{state.out.data(), state.out.size()}, {const_cast<char*>(content.data()), content.size()}};
  return send(call, stream, std::span(pieces).first(content.size() <= kSmall ? 1 : 2), 5);
}

// sendText(text in Latin-1, view or undefined, callback(status)) → as respond
Value send_text(Call& call, StreamObject& stream) {
  const auto text = call.wtf_string(0);
  if (call.failed() || !text.is8Bit()) return call.value(-EINVAL);
  auto view = call.bytes(1);
  iovec pieces[] = {{const_cast<LChar*>(text.span8().data()), text.length()}, {view.data(), view.size()}};
  return send(call, stream, std::span<const iovec>(pieces).first(view.empty() ? 1 : 2), 2);
}

// mask(view, start, end, key as four bytes of a number): applies or takes away the mask of a WebSocket frame, in place.
Value apply_mask(Call& call) {
  auto bytes = call.bytes(0);
  const size_t start = std::min<size_t>(call.uint32(1), bytes.size()),
               end = std::min<size_t>(call.uint32(2), bytes.size());
  const uint32_t key = call.uint32(3);
  for (size_t i = start; i < end; i++) bytes[i] ^= static_cast<uint8_t>(key >> (8 * (3 - (i - start) % 4)));
  return call.undefined();
}

constexpr FunctionSpec kStreamMethods[] = {{"respond", method<StreamObject, respond>, 6},
                                           {"sendText", method<StreamObject, send_text>, 3}};

constexpr FunctionSpec kFunctions[] = {{"headerBlock", native<header_block>, 1}, {"mask", native<apply_mask>, 4}};

}  // namespace

const std::span<const FunctionSpec> net::kServeStreamMethods = kStreamMethods;

void init_serve(runtime::Runtime& runtime, JSC::JSObject* target) {
  static constexpr NumberSpec kNumbers[] = {{"kClose", kClose}, {"kNoBody", kNoBody}, {"kKeepAlive", kKeepAlive}};
  put_functions(runtime.realm(), target, kFunctions);
  put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
