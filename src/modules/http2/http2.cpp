// native('http2'): an HTTP/2 session for lib/internal/http2, with its methods; fields cross as one string,
// `name NUL value NUL mark` for each (mark 1: never indexed), one character a byte. Numbers below zero are nghttp2's errors.
#include "modules/http2/session.h"

#include "engine/core/buffer_class.h"
#include "runtime/native_class.h"

namespace rondo::modules {

using namespace engine;
using http2::Event;
using http2::EventKind;
using http2::Fields;
using http2::Session;
using runtime::make_instance;
using runtime::method;

namespace {

std::span<const uint8_t> bytes_in(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

Fields fields_at(const Call& call, unsigned index) {
  Fields fields;
  const auto packed = call.wtf_string(index);
  fields.text.reserve(packed.length());
  for (unsigned i = 0; i < packed.length(); i++) fields.text += static_cast<char>(packed[i]);
  auto* at = reinterpret_cast<uint8_t*>(fields.text.data());
  auto* end = at + fields.text.size();
  while (at < end) {
    auto* name_end = std::find(at, end, uint8_t{0});
    auto* value = name_end == end ? end : name_end + 1;
    auto* value_end = std::find(value, end, uint8_t{0});
    if (end - value_end < 2) break;
    const uint8_t flags = value_end[1] == '1' ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE;
    fields.list.push_back(
        {at, value, static_cast<size_t>(name_end - at), static_cast<size_t>(value_end - value), flags});
    at = value_end + 2;
  }
  return fields;
}

Value texts(JSC::JSGlobalObject* realm, const std::vector<std::string>& list) {
  JSC::MarkedArgumentBuffer values;
  for (const auto& text : list) values.append(string_from_latin1(realm, bytes_in(text)));
  return make_array(realm, values);
}

void append_event(JSC::JSGlobalObject* realm, const Event& event, JSC::MarkedArgumentBuffer& out) {
  out.append(JSC::jsNumber(static_cast<int>(event.kind)));
  out.append(JSC::jsNumber(event.id));
  out.append(JSC::jsNumber(event.first));
  out.append(JSC::jsNumber(event.second));
  if (event.kind == EventKind::Headers || event.kind == EventKind::AltSvc || event.kind == EventKind::Origin)
    out.append(texts(realm, event.fields));
  else
    out.append(event.bytes.empty() ? JSC::jsUndefined() : Value(make_buffer(realm, bytes_in(event.bytes))));
}

// receive(bytes): 0 or an error.
Value receive(Call& call, Session& session) { return call.value(session.receive(call.bytes(0))); }

// events() → [kind, id, first, second, bytes or fields, …]; undefined when there are none.
Value events(Call& call, Session& session) {
  const auto list = session.take_events();
  if (list.empty()) return call.undefined();
  JSC::MarkedArgumentBuffer values;
  for (const auto& event : list) append_event(call.realm(), event, values);
  return make_array(call.realm(), values);
}

// output() → bytes for the peer; undefined when there are none.
Value output(Call& call, Session& session) {
  auto bytes = session.take_output();
  return bytes.empty() ? call.undefined() : call.value(adopt_buffer(call.realm(), std::move(bytes)));
}

// wants(): 1 to read, 2 to write.
Value wants(Call& call, Session& session) {
  return call.value((nghttp2_session_want_read(session.get()) ? 1 : 0) +
                    (nghttp2_session_want_write(session.get()) ? 2 : 0));
}

// settings([id, value, …])
Value settings(Call& call, Session& session) {
  auto* list = call.object(0);
  if (!list) return call.value(NGHTTP2_ERR_INVALID_ARGUMENT);
  std::vector<nghttp2_settings_entry> entries;
  auto* array = JSC::jsDynamicCast<JSC::JSArray*>(list);
  for (unsigned i = 0; array && i + 1 < array->length(); i += 2) {
    entries.push_back({array->getIndex(call.realm(), i).asInt32(),
                       static_cast<uint32_t>(array->getIndex(call.realm(), i + 1).asNumber())});
  }
  return call.value(nghttp2_submit_settings(session.get(), NGHTTP2_FLAG_NONE, entries.data(), entries.size()));
}

// remoteSettings(isLocal) → the values of settings 1 to 6 and 8
Value read_settings(Call& call, Session& session) {
  JSC::MarkedArgumentBuffer values;
  for (const int id : http2::kSettings) {
    const auto setting = static_cast<nghttp2_settings_id>(id);
    values.append(JSC::jsNumber(call.boolean(0) ? nghttp2_session_get_local_settings(session.get(), setting)
                                                : nghttp2_session_get_remote_settings(session.get(), setting)));
  }
  return make_array(call.realm(), values);
}

enum Body : uint8_t { kNoBody, kBody, kBodyAndTrailers };

// request(fields, body) → the stream's id, or an error
Value request(Call& call, Session& session) {
  auto fields = fields_at(call, 0);
  const auto body = call.uint32(1);
  auto provider = session.provider();
  const int id = nghttp2_submit_request(session.get(), nullptr, fields.list.data(), fields.list.size(),
                                        body == kNoBody ? nullptr : &provider, nullptr);
  if (id > 0 && body != kNoBody) session.begin_body(id, body == kBodyAndTrailers);
  return call.value(id);
}

// respond(id, fields, body)
Value respond(Call& call, Session& session) {
  const int32_t id = call.int32(0);
  auto fields = fields_at(call, 1);
  const auto body = call.uint32(2);
  auto provider = session.provider();
  if (body != kNoBody) session.begin_body(id, body == kBodyAndTrailers);
  const int error = nghttp2_submit_response(session.get(), id, fields.list.data(), fields.list.size(),
                                            body == kNoBody ? nullptr : &provider);
  if (error != 0) session.drop_body(id);
  return call.value(error);
}

// info(id, fields): an answer before the answer.
Value info(Call& call, Session& session) {
  auto fields = fields_at(call, 1);
  return call.value(nghttp2_submit_headers(session.get(), NGHTTP2_FLAG_NONE, call.int32(0), nullptr, fields.list.data(),
                                           fields.list.size(), nullptr));
}

// trailers(id, fields): the stream's end.
Value trailers(Call& call, Session& session) {
  auto fields = fields_at(call, 1);
  if (!fields.list.empty())
    return call.value(nghttp2_submit_trailer(session.get(), call.int32(0), fields.list.data(), fields.list.size()));
  session.begin_body(call.int32(0), false);
  session.append(call.int32(0), {}, true);
  auto provider = session.provider();
  return call.value(nghttp2_submit_data(session.get(), NGHTTP2_FLAG_END_STREAM, call.int32(0), &provider));
}

// pushPromise(id, fields) → the id of the promised stream
Value push(Call& call, Session& session) {
  auto fields = fields_at(call, 1);
  return call.value(nghttp2_submit_push_promise(session.get(), NGHTTP2_FLAG_NONE, call.int32(0), fields.list.data(),
                                                fields.list.size(), nullptr));
}

// data(id, bytes or undefined, isLast)
Value data(Call& call, Session& session) {
  session.append(call.int32(0), call.bytes(1), call.boolean(2));
  return call.undefined();
}

Value reset(Call& call, Session& session) {
  if (call.uint32(1) == NGHTTP2_FLOW_CONTROL_ERROR) session.expect_reset(call.int32(0));
  return call.value(nghttp2_submit_rst_stream(session.get(), NGHTTP2_FLAG_NONE, call.int32(0), call.uint32(1)));
}

// goaway(code, last stream or 0 for the last that was taken up, opaque data)
Value goaway(Call& call, Session& session) {
  int32_t last = call.int32(1);
  if (last <= 0) last = nghttp2_session_get_last_proc_stream_id(session.get());
  const auto opaque = call.bytes(2);
  session.expect_goaway();
  return call.value(
      nghttp2_submit_goaway(session.get(), NGHTTP2_FLAG_NONE, last, call.uint32(0), opaque.data(), opaque.size()));
}

Value terminate(Call& call, Session& session) {
  session.expect_goaway();
  return call.value(nghttp2_session_terminate_session(session.get(), call.uint32(0)));
}

Value ping(Call& call, Session& session) {
  const auto payload = call.bytes(0);
  if (payload.size() != 8) return call.value(NGHTTP2_ERR_INVALID_ARGUMENT);
  return call.value(nghttp2_submit_ping(session.get(), NGHTTP2_FLAG_NONE, payload.data()));
}

// altsvc(id, origin, value)
Value altsvc(Call& call, Session& session) {
  const auto origin = call.string(1), value = call.string(2);
  const auto bytes = [](const std::string& text) { return reinterpret_cast<const uint8_t*>(text.data()); };
  return call.value(nghttp2_submit_altsvc(session.get(), NGHTTP2_FLAG_NONE, call.int32(0), bytes(origin), origin.size(),
                                          bytes(value), value.size()));
}

// origin(origins, each followed by NUL)
Value origin(Call& call, Session& session) {
  auto text = call.string(0);
  std::vector<nghttp2_origin_entry> entries;
  for (size_t at = 0, end; (end = text.find('\0', at)) != std::string::npos; at = end + 1)
    entries.push_back({reinterpret_cast<uint8_t*>(text.data() + at), end - at});
  return call.value(nghttp2_submit_origin(session.get(), NGHTTP2_FLAG_NONE, entries.data(), entries.size()));
}

// consume(id, bytes): the reader has read them.
Value consume(Call& call, Session& session) {
  session.release(call.int32(0), call.uint32(1));
  return call.value(nghttp2_session_consume_stream(session.get(), call.int32(0), call.uint32(1)));
}

// localWindow(size): of the connection
Value local_window(Call& call, Session& session) {
  return call.value(nghttp2_session_set_local_window_size(session.get(), NGHTTP2_FLAG_NONE, 0, call.int32(0)));
}

Value next_stream_id(Call& call, Session& session) {
  return call.value(nghttp2_session_set_next_stream_id(session.get(), call.int32(0)));
}

// frames() → how many came and left
Value frames(Call& call, Session& session) {
  JSC::MarkedArgumentBuffer values;
  for (const uint64_t count : {session.frames_received(), session.frames_sent()})
    values.append(JSC::jsNumber(static_cast<double>(count)));
  return make_array(call.realm(), values);
}

// state(): in the order of Http2Session.state
Value state(Call& call, Session& session) {
  const double numbers[] = {
      static_cast<double>(nghttp2_session_get_effective_local_window_size(session.get())),
      static_cast<double>(nghttp2_session_get_effective_recv_data_length(session.get())),
      static_cast<double>(nghttp2_session_get_next_stream_id(session.get())),
      static_cast<double>(nghttp2_session_get_local_window_size(session.get())),
      static_cast<double>(nghttp2_session_get_last_proc_stream_id(session.get())),
      static_cast<double>(nghttp2_session_get_remote_window_size(session.get())),
      static_cast<double>(nghttp2_session_get_outbound_queue_size(session.get())),
      static_cast<double>(nghttp2_session_get_hd_deflate_dynamic_table_size(session.get())),
      static_cast<double>(nghttp2_session_get_hd_inflate_dynamic_table_size(session.get())),
  };
  JSC::MarkedArgumentBuffer values;
  for (double number : numbers) values.append(JSC::jsNumber(number));
  return make_array(call.realm(), values);
}

// streamState(id): in the order of Http2Stream.state
Value stream_state(Call& call, Session& session) {
  auto* stream = nghttp2_session_find_stream(session.get(), call.int32(0));
  if (!stream) return call.undefined();
  const int32_t id = call.int32(0);
  const int numbers[] = {
      static_cast<int>(nghttp2_stream_get_state(stream)),
      nghttp2_stream_get_weight(stream),
      nghttp2_stream_get_sum_dependency_weight(stream),
      nghttp2_session_get_stream_local_close(session.get(), id),
      nghttp2_session_get_stream_remote_close(session.get(), id),
      nghttp2_session_get_stream_effective_local_window_size(session.get(), id),
  };
  JSC::MarkedArgumentBuffer values;
  for (int number : numbers) values.append(JSC::jsNumber(number));
  return make_array(call.realm(), values);
}

Value error_text(Call& call) { return call.text(nghttp2_strerror(call.int32(0))); }

constexpr FunctionSpec kMethods[] = {
    {"receive", method<Session, receive>, 1},
    {"events", method<Session, events>, 0},
    {"output", method<Session, output>, 0},
    {"wants", method<Session, wants>, 0},
    {"settings", method<Session, settings>, 1},
    {"readSettings", method<Session, read_settings>, 1},
    {"request", method<Session, request>, 2},
    {"respond", method<Session, respond>, 3},
    {"info", method<Session, info>, 2},
    {"trailers", method<Session, trailers>, 2},
    {"pushPromise", method<Session, push>, 2},
    {"data", method<Session, data>, 3},
    {"reset", method<Session, reset>, 2},
    {"goaway", method<Session, goaway>, 3},
    {"terminate", method<Session, terminate>, 1},
    {"ping", method<Session, ping>, 1},
    {"altsvc", method<Session, altsvc>, 3},
    {"origin", method<Session, origin>, 1},
    {"consume", method<Session, consume>, 2},
    {"localWindow", method<Session, local_window>, 1},
    {"nextStreamId", method<Session, next_stream_id>, 1},
    {"state", method<Session, state>, 0},
    {"frames", method<Session, frames>, 0},
    {"streamState", method<Session, stream_state>, 1},
};

// newSession(isServer, header pairs, header block, settings, reserved streams, deflate table, invalid frames, padding,
//   checks whitespace around values, memory, rejected streams, reset burst, reset rate, peer's streams) → session
Value new_session(Call& call) {
  const http2::Limits limits{.header_pairs = call.uint32(1, 128),
                             .header_block = call.uint32(2),
                             .settings = call.uint32(3, 32),
                             .reserved_streams = call.uint32(4, 200),
                             .deflate_table = call.uint32(5, 4096),
                             .invalid_frames = call.uint32(6, 1000),
                             .padding = call.uint32(7),
                             .memory = call.uint32(9, 10'000'000),
                             .rejected_streams = call.uint32(10, 100),
                             .reset_burst = call.uint32(11, 1000),
                             .reset_rate = call.uint32(12, 33),
                             .peer_streams = call.uint32(13, 100),
                             .checks_whitespace = call.boolean(8)};
  const auto side = call.boolean(0) ? Session::Side::Server : Session::Side::Client;
  auto& runtime = runtime::Runtime::from(call.realm());
  return make_instance(runtime, std::make_unique<Session>(side, limits), kMethods);
}

constexpr FunctionSpec kFunctions[] = {{"newSession", native<new_session>, 14}, {"errorText", native<error_text>, 1}};

}  // namespace

void init_http2(runtime::Runtime& runtime, JSC::JSObject* target) {
  static constexpr engine::NumberSpec kNumbers[] = {{"kHeaders", EventKind::Headers},
                                                    {"kData", EventKind::Data},
                                                    {"kEnd", EventKind::End},
                                                    {"kClose", EventKind::Close},
                                                    {"kSettings", EventKind::Settings},
                                                    {"kSettingsAck", EventKind::SettingsAck},
                                                    {"kPing", EventKind::Ping},
                                                    {"kPingAck", EventKind::PingAck},
                                                    {"kGoAway", EventKind::GoAway},
                                                    {"kSent", EventKind::Sent},
                                                    {"kWantTrailers", EventKind::WantTrailers},
                                                    {"kFrameError", EventKind::FrameError},
                                                    {"kViolation", EventKind::Violation},
                                                    {"kAltSvc", EventKind::AltSvc},
                                                    {"kOrigin", EventKind::Origin},
                                                    {"kTooMany", EventKind::TooMany},
                                                    {"kNoBody", kNoBody},
                                                    {"kBody", kBody},
                                                    {"kBodyAndTrailers", kBodyAndTrailers},
                                                    {"kNoMoreStreams", NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE},
                                                    {"kPushPromise", http2::kPushPromise},
                                                    {"kProtocolError", NGHTTP2_ERR_PROTO}};
  put_functions(runtime.realm(), target, kFunctions);
  engine::put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
