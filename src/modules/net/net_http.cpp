// native('http'): the HTTP parser for lib/internal/http. A piece of data goes from the socket straight into the parser; JavaScript is
// entered once for it, with the first event, and asks for further ones with next(). Events that JavaScript has not asked for wait here.
#include "modules/net/net_http.h"

#include "engine/core/buffer_class.h"
#include "runtime/native_class.h"

#include <cstdlib>
#include <cstring>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace net {

std::span<http::Field> HttpParser::room() {
  if (!own_.empty()) return own_;
  return runtime_.local<FieldRoom>().fields;
}

void HttpParser::feed(Bytes piece) {
  if (held_.empty()) {
    input_ = as_text(piece);
  } else {
    held_.append(as_text(piece));
    input_ = held_;
  }
  piece_ = input_;
  fed_ = input_.size();
}

http::Event HttpParser::next() {
  parser_.use_room(room());
  const bool was_within = parser_.is_within_message();
  auto event = parser_.next(input_);
  while (event == http::Event::Full) {
    // Its own room, twice as large, with what the old one holds.
    auto old = room();
    std::vector<http::Field> larger(old.begin(), old.end());
    larger.resize(old.size() * 2);
    own_ = std::move(larger);
    parser_.use_room(own_);
    event = parser_.next(input_);
  }
  if (!was_within && parser_.is_within_message() && !began_) began_ = runtime_.loop().now();
  if (event == http::Event::Head) has_head_ = true;
  if (event == http::Event::End) {
    began_.reset();
    has_head_ = false;
  }
  return event;
}

void HttpParser::keep_rest() {
  piece_ = {};
  if (parser_.error() != http::Error::None) input_ = {};
  // Of a head or trailer that goes on with the next piece.
  const bool is_open = parser_.field_count() > 0 && parser_.is_within_message();
  if (is_open && own_.empty()) {
    auto shared = room();
    own_.assign(shared.begin(), shared.end());
  } else if (!is_open && !own_.empty()) {
    own_ = {};
  }
  if (input_.empty()) {
    held_.clear();
    if (held_.capacity() > 4096) held_.shrink_to_fit();
  } else if (input_.data() >= held_.data() && input_.data() < held_.data() + held_.size()) {
    held_.erase(0, static_cast<size_t>(input_.data() - held_.data()));
  } else {
    held_.assign(input_);
  }
  input_ = held_;
  fed_ = input_.size();
}

}  // namespace net

namespace {

using http::Event;
using http::Known;
using net::HttpParser;
using net::StreamObject;
using runtime::make_instance;
using runtime::method;
using runtime::Source;

constexpr Source kRequest{"http request", "HTTPINCOMINGMESSAGE"};
constexpr int kBadHandle = -EBADF;

// The summary of a head in one number: the method or status, and these.
constexpr int32_t kMinor = 1 << 10, kKeepAlive = 1 << 11, kUpgrade = 1 << 12, kComplete = 1 << 13, kHasHost = 1 << 14,
                  kHasExpect = 1 << 15, kMore = 1 << 16, kHasBody = 1 << 17, kResponse = 1 << 18, kVersion09 = 1 << 19,
                  kVersion20 = 1 << 20;

// Bits of newParser's third argument.
constexpr int32_t kLenientAll = 1, kLenientValues = 2;

std::span<const uint8_t> bytes_in(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Large pieces live in memory of the C library, as in native('net').
constexpr size_t kLargePiece = 16 * 1024;
JSC::JSUint8Array* buffer_of(JSC::JSGlobalObject* realm, std::string_view piece) {
  auto* memory = piece.size() < kLargePiece ? nullptr : static_cast<uint8_t*>(std::malloc(piece.size()));
  if (!memory) return make_buffer(realm, bytes_in(piece));
  std::memcpy(memory, piece.data(), piece.size());
  return adopt_buffer(realm, memory, piece.size());
}

JSC::JSString* latin(JSC::VM& vm, std::string_view text) {
  if (text.empty()) return JSC::jsEmptyString(vm);
  std::span<const LChar> characters(reinterpret_cast<const LChar*>(text.data()), text.size());
  return JSC::jsString(vm, WTF::String(characters));
}

// The head as [flags, url or reason, text of the head] behind `out`. A request without a body is over with it.
void append_head(HttpParser& from, bool is_response, JSC::MarkedArgumentBuffer& out) {
  auto& parser = from.parser();
  auto& vm = from.runtime().vm();
  int32_t flags = is_response ? parser.status() | kResponse : static_cast<int32_t>(parser.method());
  if (parser.minor_version() == 1) flags |= kMinor;
  if (parser.major_version() != 1) flags |= parser.major_version() == 0 ? kVersion09 : kVersion20;
  if (parser.keeps_alive()) flags |= kKeepAlive;
  if (parser.upgrade()) flags |= kUpgrade;
  if (parser.has(Known::Host)) flags |= kHasHost;
  if (parser.has(Known::Expect)) flags |= kHasExpect;
  if (parser.content_length() || parser.has(Known::TransferEncoding)) flags |= kHasBody;
  auto* text = latin(vm, parser.target());
  auto* head = latin(vm, parser.message());
  if (!is_response && !parser.upgrade() && parser.is_complete_without_body() && from.next() == Event::End)
    flags |= kComplete;
  if ((flags & kComplete) == 0 || !from.leftover().empty()) flags |= kMore;
  out.append(JSC::jsNumber(flags));
  out.append(text);
  out.append(head);
}

// The failure as [code, reason, where in the piece] behind `out`.
void append_failure(HttpParser& from, JSC::MarkedArgumentBuffer& out) {
  auto& parser = from.parser();
  auto& vm = from.runtime().vm();
  out.append(make_string(vm, http::name_of(parser.error())));
  out.append(make_string(vm, parser.reason_of_error()));
  out.append(JSC::jsNumber(static_cast<double>(from.taken() + parser.error_at())));
}

Value failure_of(Call& call, HttpParser& from) {
  JSC::MarkedArgumentBuffer parts;
  append_failure(from, parts);
  return call.value(make_array(call.realm(), parts));
}

// Enters JavaScript with what `piece` begins with.
void deliver(HttpParser* from, bool is_response, Bytes piece, runtime::Continuation& then) {
  from->feed(piece);
  JSC::MarkedArgumentBuffer arguments;
  const auto event = from->next();
  arguments.append(JSC::jsNumber(piece.size()));
  arguments.append(JSC::jsNumber(static_cast<int>(event)));
  if (event == Event::Head)
    append_head(*from, is_response, arguments);
  else if (event == Event::Body)
    arguments.append(buffer_of(from->runtime().realm(), from->parser().body()));
  else if (event == Event::Failed)
    append_failure(*from, arguments);
  then(arguments);
}

// consume(stream, isResponse, callback(size, event, …)) → status. For each piece that the stream reads one call: size is the
// bytes of the piece, 0 at the end, or a negative errno; event is one of http::Event. Head: flags, url or reason, text of the head.
// Body: the bytes. Failed: code, reason, where in the piece. Further events of the piece come from next(), until it answers undefined.
Value consume(Call& call, HttpParser& from) {
  auto* stream = native_of<StreamObject>(call.at(0));
  if (!stream) return call.value(kBadHandle);
  auto* cell = call.self().asCell();
  auto on_piece = [from = &from, cell, is_response = call.boolean(1),
                   then = stream->event(call.function(2), kRequest).keeping(cell)](Result<Bytes> piece) mutable {
    if (then.is_dead()) return;
    if (!piece || piece->empty()) {
      JSC::MarkedArgumentBuffer arguments;
      arguments.append(JSC::jsNumber(piece ? 0 : -piece.error().number));
      then(arguments);
      return;
    }
    // The call may end the reading, and with it this function.
    auto& runtime = then.runtime();
    auto* parser = from;
    auto* owner = cell;
    deliver(parser, is_response, *piece, then);
    if (!runtime.is_stopped()) parser->keep_rest();
    JSC::ensureStillAliveHere(owner);
  };
  return call.value(net::status_of(stream->stream().read_start(std::move(on_piece))));
}

// feed(view): what a stream of any other kind has read. The events come from next(); then keepRest().
Value feed(Call& call, HttpParser& from) {
  auto bytes = call.bytes(0);
  from.feed({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  return call.undefined();
}
Value keep_rest(Call& call, HttpParser& from) {
  from.keep_rest();
  return call.undefined();
}

// next(isResponse) → undefined, a number of http::Event, the bytes of a body, [flags, text, head], or of a failure [code, reason, where]
Value next_event(Call& call, HttpParser& from) {
  const auto event = from.next();
  if (event == Event::More) return call.undefined();
  if (event == Event::Body) return call.value(buffer_of(call.realm(), from.parser().body()));
  if (event == Event::Failed) return failure_of(call, from);
  if (event != Event::Head) return call.value(static_cast<int32_t>(event));
  JSC::MarkedArgumentBuffer parts;
  append_head(from, call.boolean(0), parts);
  return call.value(make_array(call.realm(), parts));
}

// finish() → a number of http::Event, or of a failure [code, reason, where]
Value finish(Call& call, HttpParser& from) {
  const auto event = from.parser().finish();
  return event == Event::Failed ? failure_of(call, from) : call.value(static_cast<int32_t>(event));
}

// leftover() → bytes that nobody has taken, which are then gone; taken() → how many of the last ones were taken
Value take_leftover(Call& call, HttpParser& from) {
  auto* bytes = make_buffer(call.realm(), bytes_in(from.leftover()));
  from.drop_rest();
  return call.value(bytes);
}
Value taken(Call& call, HttpParser& from) { return call.value(static_cast<double>(from.taken())); }

Value skip_body(Call& call, HttpParser& from) {
  from.parser().skip_body();
  return call.undefined();
}
// setUpgrade(on)
Value set_upgrade(Call& call, HttpParser& from) {
  from.parser().set_upgrade(call.boolean(0));
  return call.undefined();
}

// piece() → the bytes that are being read; isIdle(): no message has begun
Value piece_of(Call& call, HttpParser& from) { return call.value(make_buffer(call.realm(), bytes_in(from.piece()))); }
Value is_idle(Call& call, HttpParser& from) { return call.value(!from.parser().is_within_message()); }

// trailers() → [name, value, …] after the End of a message
Value trailers(Call& call, HttpParser& from) {
  JSC::MarkedArgumentBuffer parts;
  const auto& parser = from.parser();
  for (const auto& field : parser.fields()) {
    parts.append(latin(call.vm(), parser.name(field)));
    parts.append(latin(call.vm(), parser.value(field)));
  }
  return call.value(make_array(call.realm(), parts));
}

// ageOf() → milliseconds since the message under way began, negative when its head is complete; NaN when there is none
Value age_of(Call& call, HttpParser& from) {
  if (!from.began()) return JSC::jsNaN();
  const double age = static_cast<double>(from.runtime().loop().now() - *from.began()) / 1e6;
  return call.value(from.has_head() ? -age : age);
}

// forgetAge(): nothing more is said of the message under way.
Value forget_age(Call& call, HttpParser& from) {
  from.forget_age();
  return call.undefined();
}

constexpr FunctionSpec kMethods[] = {{"consume", method<HttpParser, consume>, 3},
                                     {"feed", method<HttpParser, feed>, 1},
                                     {"keepRest", method<HttpParser, keep_rest>, 0},
                                     {"next", method<HttpParser, next_event>, 1},
                                     {"finish", method<HttpParser, finish>, 0},
                                     {"leftover", method<HttpParser, take_leftover>, 0},
                                     {"taken", method<HttpParser, taken>, 0},
                                     {"skipBody", method<HttpParser, skip_body>, 0},
                                     {"setUpgrade", method<HttpParser, set_upgrade>, 1},
                                     {"trailers", method<HttpParser, trailers>, 0},
                                     {"ageOf", method<HttpParser, age_of>, 0},
                                     {"forgetAge", method<HttpParser, forget_age>, 0},
                                     {"piece", method<HttpParser, piece_of>, 0},
                                     {"isIdle", method<HttpParser, is_idle>, 0}};

// newParser(isResponse, bytes of a head or 0, lenient bits) → parser
Value new_parser(Call& call) {
  http::Limits limits;
  if (call.uint32(1) > 0) limits.head_bytes = call.uint32(1);
  auto kind = call.boolean(0) ? http::Kind::Response : http::Kind::Request;
  auto made = std::make_unique<HttpParser>(Runtime::from(call.realm()), kind, limits);
  made->parser().set_lenient((call.int32(2) & kLenientAll) != 0);
  if ((call.int32(2) & kLenientValues) != 0) made->parser().set_lenient_values(true);
  return make_instance(Runtime::from(call.realm()), std::move(made), kMethods);
}

// Buffer in which a response is put together; it is sent before the call returns.
struct Scratch {
  std::string bytes;
};

void append_text(std::string& out, const WTF::String& text, bool as_utf8) {
  if (text.is8Bit() && (!as_utf8 || text.containsOnlyASCII())) {
    auto characters = text.span8();
    out.append(reinterpret_cast<const char*>(characters.data()), characters.size());
  } else if (as_utf8) {
    out.append(to_utf8(text));
  } else {
    for (unsigned i = 0; i < text.length(); i++) out.push_back(static_cast<char>(text[i]));
  }
}

// sendMessage(head, body, body is Latin-1, tail) → undefined when the kernel took everything, the bytes it did not take, or an errno.
// A head before text is written in the text's encoding, as it would be if they were one string, unless there are chunks.
Value send_message(Call& call, StreamObject& stream) {
  auto& bytes = Runtime::from(call.realm()).local<Scratch>().bytes;
  bytes.clear();
  const bool has_text = call.at(1).isString();
  const bool as_utf8 = has_text && !call.boolean(2) && JSC::asString(call.at(1))->length() > 0;
  append_text(bytes, call.wtf_string(0), as_utf8 && !call.has(3));
  auto view = has_text ? std::span<uint8_t>() : call.bytes(1);
  if (has_text) append_text(bytes, call.wtf_string(1), as_utf8);
  bytes.append(reinterpret_cast<const char*>(view.data()), view.size());
  if (call.has(3)) append_text(bytes, call.wtf_string(3), false);
  auto taken = stream.stream().try_write(as_bytes(bytes));
  if (!taken) return call.value(-taken.error().number);
  if (*taken == bytes.size()) {
    if (bytes.capacity() > (size_t{1} << 20U)) bytes = {};
    return call.undefined();
  }
  return call.value(make_buffer(call.realm(), bytes_in(std::string_view(bytes).substr(*taken))));
}

// methods() → names, in the order of http::Method
Value methods(Call& call) {
  JSC::MarkedArgumentBuffer names;
  for (size_t i = 0; i < http::kMethodCount; i++)
    names.append(make_string(call.vm(), http::name_of(static_cast<http::Method>(i))));
  return call.value(make_array(call.realm(), names));
}

constexpr FunctionSpec kStreamMethods[] = {{"sendMessage", method<StreamObject, send_message>, 4}};

constexpr FunctionSpec kFunctions[] = {{"newParser", native<new_parser>, 3}, {"methods", native<methods>, 0}};

constexpr NumberSpec kNumbers[] = {
    {"kHead", Event::Head},         {"kBody", Event::Body},       {"kEnd", Event::End},
    {"kUpgraded", Event::Upgraded}, {"kFailed", Event::Failed},   {"kMinor", kMinor},
    {"kKeepAlive", kKeepAlive},     {"kUpgrade", kUpgrade},       {"kComplete", kComplete},
    {"kHasHost", kHasHost},         {"kHasExpect", kHasExpect},   {"kMore", kMore},
    {"kHasBody", kHasBody},         {"kLenientAll", kLenientAll}, {"kLenientValues", kLenientValues},
    {"kVersion09", kVersion09},     {"kVersion20", kVersion20}};

}  // namespace

const std::span<const FunctionSpec> net::kHttpStreamMethods = kStreamMethods;

void init_http(Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
  put_functions(runtime.realm(), target, net::kHttpHeadFunctions);
  put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
