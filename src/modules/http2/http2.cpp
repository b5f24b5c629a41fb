// native('http2'): an HTTP/2 session for lib/internal/http2. Each native takes the session first; fields cross as one string,
// `name NUL value NUL mark` for each (mark 1: never indexed), one character a byte. Numbers below zero are nghttp2's errors.
#include "modules/http2/session.h"

#include "engine/core/buffer_class.h"
#include "runtime/runtime.h"

namespace rondo::modules {

using namespace engine;
using http2::Event;
using http2::EventKind;
using http2::Fields;
using http2::Session;

namespace {

constexpr int kNoSession = NGHTTP2_ERR_INVALID_STATE;

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

// newSession(isServer, header pairs, header block, settings, reserved streams, deflate table, invalid frames, padding,
//   checks whitespace around values)
Value new_session(Call& call) {
  const http2::Limits limits{.header_pairs = call.uint32(1, 128),
                             .header_block = call.uint32(2),
                             .settings = call.uint32(3, 32),
                             .reserved_streams = call.uint32(4, 200),
                             .deflate_table = call.uint32(5, 4096),
                             .invalid_frames = call.uint32(6, 1000),
                             .padding = call.uint32(7),
                             .checks_whitespace = call.boolean(8)};
  const auto side = call.boolean(0) ? Session::Side::Server : Session::Side::Client;
  return make_native(call.realm(), std::make_unique<Session>(side, limits));
}

// receive(session, bytes): 0 or an error.
Value receive(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  return call.value(session ? session->receive(call.bytes(1)) : kNoSession);
}

// events(session) → [kind, id, first, second, bytes or fields, …]; undefined when there are none.
Value events(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.undefined();
  const auto list = session->take_events();
  if (list.empty()) return call.undefined();
  JSC::MarkedArgumentBuffer values;
  for (const auto& event : list) append_event(call.realm(), event, values);
  return make_array(call.realm(), values);
}

// output(session) → bytes for the peer; undefined when there are none.
Value output(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.undefined();
  auto bytes = session->take_output();
  return bytes.empty() ? call.undefined() : call.value(adopt_buffer(call.realm(), std::move(bytes)));
}

// wants(session): 1 to read, 2 to write.
Value wants(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(0);
  return call.value((nghttp2_session_want_read(session->get()) ? 1 : 0) +
                    (nghttp2_session_want_write(session->get()) ? 2 : 0));
}

// settings(session, [id, value, …])
Value settings(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  auto* list = call.object(1);
  if (!session || !list) return call.value(kNoSession);
  std::vector<nghttp2_settings_entry> entries;
  auto* array = JSC::jsDynamicCast<JSC::JSArray*>(list);
  for (unsigned i = 0; array && i + 1 < array->length(); i += 2) {
    entries.push_back({array->getIndex(call.realm(), i).asInt32(),
                       static_cast<uint32_t>(array->getIndex(call.realm(), i + 1).asNumber())});
  }
  return call.value(nghttp2_submit_settings(session->get(), NGHTTP2_FLAG_NONE, entries.data(), entries.size()));
}

// remoteSettings(session, isLocal) → the values of settings 1 to 6 and 8
Value read_settings(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  JSC::MarkedArgumentBuffer values;
  for (int id : {1, 2, 3, 4, 5, 6, 8}) {
    const auto setting = static_cast<nghttp2_settings_id>(id);
    values.append(JSC::jsNumber(!session          ? 0
                                : call.boolean(1) ? nghttp2_session_get_local_settings(session->get(), setting)
                                                  : nghttp2_session_get_remote_settings(session->get(), setting)));
  }
  return make_array(call.realm(), values);
}

enum Body : uint8_t { kNoBody, kBody, kBodyAndTrailers };

// request(session, fields, body) → the stream's id, or an error
Value request(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  auto fields = fields_at(call, 1);
  const auto body = call.uint32(2);
  auto provider = session->provider();
  const int id = nghttp2_submit_request(session->get(), nullptr, fields.list.data(), fields.list.size(),
                                        body == kNoBody ? nullptr : &provider, nullptr);
  if (id > 0 && body != kNoBody) session->begin_body(id, body == kBodyAndTrailers);
  return call.value(id);
}

// respond(session, id, fields, body)
Value respond(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  const int32_t id = call.int32(1);
  auto fields = fields_at(call, 2);
  const auto body = call.uint32(3);
  auto provider = session->provider();
  if (body != kNoBody) session->begin_body(id, body == kBodyAndTrailers);
  const int error = nghttp2_submit_response(session->get(), id, fields.list.data(), fields.list.size(),
                                            body == kNoBody ? nullptr : &provider);
  if (error != 0) session->drop_body(id);
  return call.value(error);
}

// info(session, id, fields): an answer before the answer.
Value info(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  auto fields = fields_at(call, 2);
  return call.value(nghttp2_submit_headers(session->get(), NGHTTP2_FLAG_NONE, call.int32(1), nullptr,
                                           fields.list.data(), fields.list.size(), nullptr));
}

// trailers(session, id, fields): the stream's end.
Value trailers(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  auto fields = fields_at(call, 2);
  if (!fields.list.empty())
    return call.value(nghttp2_submit_trailer(session->get(), call.int32(1), fields.list.data(), fields.list.size()));
  session->begin_body(call.int32(1), false);
  session->append(call.int32(1), {}, true);
  auto provider = session->provider();
  return call.value(nghttp2_submit_data(session->get(), NGHTTP2_FLAG_END_STREAM, call.int32(1), &provider));
}

// push(session, id, fields) → the id of the promised stream
Value push(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  auto fields = fields_at(call, 2);
  return call.value(nghttp2_submit_push_promise(session->get(), NGHTTP2_FLAG_NONE, call.int32(1), fields.list.data(),
                                                fields.list.size(), nullptr));
}

// data(session, id, bytes or undefined, isLast)
Value data(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (session) session->append(call.int32(1), call.bytes(2), call.boolean(3));
  return call.undefined();
}

Value reset(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  return call.value(nghttp2_submit_rst_stream(session->get(), NGHTTP2_FLAG_NONE, call.int32(1), call.uint32(2)));
}

// goaway(session, code, last stream or 0 for the last that was taken up, opaque data)
Value goaway(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  int32_t last = call.int32(2);
  if (last <= 0) last = nghttp2_session_get_last_proc_stream_id(session->get());
  const auto opaque = call.bytes(3);
  session->expect_goaway();
  return call.value(
      nghttp2_submit_goaway(session->get(), NGHTTP2_FLAG_NONE, last, call.uint32(1), opaque.data(), opaque.size()));
}

Value terminate(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  session->expect_goaway();
  return call.value(nghttp2_session_terminate_session(session->get(), call.uint32(1)));
}

Value ping(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  const auto payload = call.bytes(1);
  if (!session || payload.size() != 8) return call.value(kNoSession);
  return call.value(nghttp2_submit_ping(session->get(), NGHTTP2_FLAG_NONE, payload.data()));
}

// altsvc(session, id, origin, value)
Value altsvc(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  const auto origin = call.string(2), value = call.string(3);
  const auto bytes = [](const std::string& text) { return reinterpret_cast<const uint8_t*>(text.data()); };
  return call.value(nghttp2_submit_altsvc(session->get(), NGHTTP2_FLAG_NONE, call.int32(1), bytes(origin),
                                          origin.size(), bytes(value), value.size()));
}

// origin(session, origins, each followed by NUL)
Value origin(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  auto text = call.string(1);
  std::vector<nghttp2_origin_entry> entries;
  for (size_t at = 0, end; (end = text.find('\0', at)) != std::string::npos; at = end + 1)
    entries.push_back({reinterpret_cast<uint8_t*>(text.data() + at), end - at});
  return call.value(nghttp2_submit_origin(session->get(), NGHTTP2_FLAG_NONE, entries.data(), entries.size()));
}

// consume(session, id, bytes): the reader has read them.
Value consume(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  return call.value(session ? nghttp2_session_consume_stream(session->get(), call.int32(1), call.uint32(2))
                            : kNoSession);
}

// localWindow(session, size): of the connection
Value local_window(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  if (!session) return call.value(kNoSession);
  return call.value(nghttp2_session_set_local_window_size(session->get(), NGHTTP2_FLAG_NONE, 0, call.int32(1)));
}

Value next_stream_id(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  return call.value(session ? nghttp2_session_set_next_stream_id(session->get(), call.int32(1)) : kNoSession);
}

// state(session): in the order of Http2Session.state
Value state(Call& call) {
  auto* object = native_of<Session>(call.at(0));
  if (!object) return call.undefined();
  auto* session = object->get();
  const double numbers[] = {
      static_cast<double>(nghttp2_session_get_effective_local_window_size(session)),
      static_cast<double>(nghttp2_session_get_effective_recv_data_length(session)),
      static_cast<double>(nghttp2_session_get_next_stream_id(session)),
      static_cast<double>(nghttp2_session_get_local_window_size(session)),
      static_cast<double>(nghttp2_session_get_last_proc_stream_id(session)),
      static_cast<double>(nghttp2_session_get_remote_window_size(session)),
      static_cast<double>(nghttp2_session_get_outbound_queue_size(session)),
      static_cast<double>(nghttp2_session_get_hd_deflate_dynamic_table_size(session)),
      static_cast<double>(nghttp2_session_get_hd_inflate_dynamic_table_size(session)),
  };
  JSC::MarkedArgumentBuffer values;
  for (double number : numbers) values.append(JSC::jsNumber(number));
  return make_array(call.realm(), values);
}

// streamState(session, id): in the order of Http2Stream.state
Value stream_state(Call& call) {
  auto* session = native_of<Session>(call.at(0));
  auto* stream = session ? nghttp2_session_find_stream(session->get(), call.int32(1)) : nullptr;
  if (!stream) return call.undefined();
  const int32_t id = call.int32(1);
  const int numbers[] = {
      static_cast<int>(nghttp2_stream_get_state(stream)),
      nghttp2_stream_get_weight(stream),
      nghttp2_stream_get_sum_dependency_weight(stream),
      nghttp2_session_get_stream_local_close(session->get(), id),
      nghttp2_session_get_stream_remote_close(session->get(), id),
      nghttp2_session_get_stream_effective_local_window_size(session->get(), id),
  };
  JSC::MarkedArgumentBuffer values;
  for (int number : numbers) values.append(JSC::jsNumber(number));
  return make_array(call.realm(), values);
}

Value error_text(Call& call) { return call.text(nghttp2_strerror(call.int32(0))); }

constexpr FunctionSpec kFunctions[] = {
    {"newSession", native<new_session>, 9},
    {"receive", native<receive>, 2},
    {"events", native<events>, 1},
    {"output", native<output>, 1},
    {"wants", native<wants>, 1},
    {"settings", native<settings>, 2},
    {"readSettings", native<read_settings>, 2},
    {"request", native<request>, 3},
    {"respond", native<respond>, 4},
    {"info", native<info>, 3},
    {"trailers", native<trailers>, 3},
    {"push", native<push>, 3},
    {"data", native<data>, 4},
    {"reset", native<reset>, 3},
    {"goaway", native<goaway>, 4},
    {"terminate", native<terminate>, 2},
    {"ping", native<ping>, 2},
    {"altsvc", native<altsvc>, 4},
    {"origin", native<origin>, 2},
    {"consume", native<consume>, 3},
    {"localWindow", native<local_window>, 2},
    {"nextStreamId", native<next_stream_id>, 2},
    {"state", native<state>, 1},
    {"streamState", native<stream_state>, 2},
    {"errorText", native<error_text>, 1},
};

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
                                                    {"kPushPromise", http2::kPushPromise},
                                                    {"kProtocolError", NGHTTP2_ERR_PROTO}};
  put_functions(runtime.realm(), target, kFunctions);
  engine::put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
