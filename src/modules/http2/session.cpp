#include "modules/http2/session.h"

#include <algorithm>

namespace rondo::modules::http2 {

namespace {

constexpr size_t kOutputAtOnce = 256 * 1024;
// Bytes that a stream takes besides its fields and data, about.
constexpr size_t kStreamBytes = 2048;
// Frames of this size follow each other as fast as they can and become one event; smaller ones stay apart, as they were written.
constexpr size_t kBulkFrame = 16384;
// Types below it are the protocol's own.
constexpr unsigned kFirstExtension = NGHTTP2_CONTINUATION + 1;

std::string_view text_of(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

struct Options {
  nghttp2_option* get = nullptr;

  explicit Options(const Limits& limits) {
    nghttp2_option_new(&get);
    nghttp2_option_set_no_auto_window_update(get, 1);  // a stream's window opens as its reader reads
    nghttp2_option_set_no_closed_streams(get, 1);
    nghttp2_option_set_max_settings(get, limits.settings);
    nghttp2_option_set_max_reserved_remote_streams(get, limits.reserved_streams);
    nghttp2_option_set_max_deflate_dynamic_table_size(get, limits.deflate_table);
    nghttp2_option_set_peer_max_concurrent_streams(get, limits.peer_streams);
    nghttp2_option_set_stream_reset_rate_limit(get, limits.reset_burst, limits.reset_rate);
    nghttp2_option_set_builtin_recv_extension_type(get, NGHTTP2_ALTSVC);
    nghttp2_option_set_builtin_recv_extension_type(get, NGHTTP2_ORIGIN);
    // Frames of unknown types are counted, which the library does for types of its user alone, and then ignored (RFC 9113, 5.5).
    for (unsigned type = kFirstExtension; type <= UINT8_MAX; type++)
      if (type != NGHTTP2_ALTSVC && type != NGHTTP2_ORIGIN)
        nghttp2_option_set_user_recv_extension_type(get, static_cast<uint8_t>(type));
    if (!limits.checks_whitespace) nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(get, 1);
    if (limits.header_block != 0) nghttp2_option_set_max_send_header_block_length(get, limits.header_block);
  }
  ~Options() { nghttp2_option_del(get); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
};

int ignore_extension(nghttp2_session*, void**, const nghttp2_frame_hd*, void*) { return NGHTTP2_ERR_CANCEL; }

bool is_unknown(uint8_t type) { return type >= kFirstExtension && type != NGHTTP2_ALTSVC && type != NGHTTP2_ORIGIN; }

// The error code of the protocol for one of the library.
uint32_t code_of(int error) {
  switch (error) {
    case NGHTTP2_ERR_SESSION_CLOSING:
    case NGHTTP2_ERR_START_STREAM_NOT_ALLOWED:
    case NGHTTP2_ERR_REFUSED_STREAM:
      return NGHTTP2_REFUSED_STREAM;
    case NGHTTP2_ERR_STREAM_CLOSED:
      return NGHTTP2_STREAM_CLOSED;
    case NGHTTP2_ERR_HEADER_COMP:
      return NGHTTP2_COMPRESSION_ERROR;
    case NGHTTP2_ERR_FRAME_SIZE_ERROR:
      return NGHTTP2_FRAME_SIZE_ERROR;
    case NGHTTP2_ERR_FLOW_CONTROL:
      return NGHTTP2_FLOW_CONTROL_ERROR;
    case NGHTTP2_ERR_PROTO:
    case NGHTTP2_ERR_HTTP_HEADER:
    case NGHTTP2_ERR_HTTP_MESSAGING:
      return NGHTTP2_PROTOCOL_ERROR;
    default:
      return NGHTTP2_INTERNAL_ERROR;
  }
}

}  // namespace

Session::Session(Side side, const Limits& limits)
    : max_pairs_(std::max(limits.header_pairs, 4u)),
      invalid_frames_left_(uint64_t{limits.invalid_frames} + 1),
      most_memory_(limits.memory),
      most_rejected_(limits.rejected_streams) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, on_begin_frame);
  nghttp2_session_callbacks_set_unpack_extension_callback(callbacks, ignore_extension);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, on_invalid_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
  nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, on_not_sent);
  nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, on_invalid_frame);
  nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_sent);
  if (limits.padding == kAlignedPadding) nghttp2_session_callbacks_set_select_padding_callback(callbacks, pad_aligned);
  if (limits.padding == kMaxPadding) nghttp2_session_callbacks_set_select_padding_callback(callbacks, pad_most);
  const Options options(limits);
  if (side == Side::Server)
    nghttp2_session_server_new2(&session_, callbacks, this, options.get);
  else
    nghttp2_session_client_new2(&session_, callbacks, this, options.get);
  nghttp2_session_callbacks_del(callbacks);
}

int Session::receive(std::span<const uint8_t> bytes) {
  const auto taken = nghttp2_session_mem_recv(session_, bytes.data(), bytes.size());
  return taken < 0 ? static_cast<int>(taken) : 0;
}

std::string Session::take_output() {
  std::string out;
  const uint8_t* data = nullptr;
  while (out.size() < kOutputAtOnce) {
    const auto size = nghttp2_session_mem_send(session_, &data);
    if (size <= 0) break;
    out += text_of(data, static_cast<size_t>(size));
  }
  return out;
}

void Session::append(int32_t id, std::span<const uint8_t> bytes, bool is_last) {
  auto found = bodies_.find(id);
  if (found == bodies_.end()) return;
  if (!bytes.empty()) found->second.chunks.emplace_back(text_of(bytes.data(), bytes.size()));
  charge(id, bytes.size());
  found->second.is_last = found->second.is_last || is_last;
  nghttp2_session_resume_data(session_, id);
}

// The response to a push promise is a stream of its own.
int32_t Session::stream_of(const nghttp2_frame* frame) {
  return frame->hd.type == NGHTTP2_PUSH_PROMISE ? frame->push_promise.promised_stream_id : frame->hd.stream_id;
}

void Session::charge(int32_t id, size_t bytes) {
  const auto found = memory_of_.find(id);
  if (found == memory_of_.end()) return;
  found->second += bytes;
  memory_ += bytes;
}

void Session::release(int32_t id, size_t bytes) {
  const auto found = memory_of_.find(id);
  if (found == memory_of_.end()) return;
  bytes = std::min(bytes, found->second - std::min(found->second, kStreamBytes));
  found->second -= bytes;
  memory_ -= bytes;
}

bool Session::FrameBudget::take() {
  constexpr double kBurst = 1000, kPerSecond = 33;
  const auto now = std::chrono::steady_clock::now();
  left_ = std::min(kBurst, left_ + kPerSecond * std::chrono::duration<double>(now - last_).count());
  last_ = now;
  if (left_ < 1) return false;
  left_ -= 1;
  return true;
}

// Priorities mean nothing any more (RFC 9113), unknown frames never did.
int Session::on_begin_frame(nghttp2_session* session, const nghttp2_frame_hd* head, void* user) {
  if ((head->type == NGHTTP2_PRIORITY || is_unknown(head->type)) && !of(user).idle_frames_.take())
    nghttp2_session_terminate_session(session, NGHTTP2_ENHANCE_YOUR_CALM);
  return 0;
}

int Session::refuse_stream(int32_t id) {
  if (rejected_++ > most_rejected_) return NGHTTP2_ERR_CALLBACK_FAILURE;
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_ENHANCE_YOUR_CALM);
  return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

int Session::on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  auto& self = of(user);
  const int32_t id = stream_of(frame);
  const bool is_new = frame->hd.type == NGHTTP2_PUSH_PROMISE || frame->headers.cat == NGHTTP2_HCAT_REQUEST;
  if (is_new) {
    if (self.memory_ + kStreamBytes > self.most_memory_) return self.refuse_stream(id);
    self.rejected_ = 0;
    self.memory_of_.try_emplace(id, 0);
    self.charge(id, kStreamBytes);
  }
  self.incoming_[id] = {};
  return 0;
}

int Session::on_header(nghttp2_session* session, const nghttp2_frame* frame, const uint8_t* name, size_t name_size,
                       const uint8_t* value, size_t value_size, uint8_t flags, void* user) {
  constexpr size_t kMostHeaderBytes = (size_t{1} << 24) - 1, kFieldOverhead = 32;
  auto& self = of(user);
  const int32_t id = stream_of(frame);
  auto& incoming = self.incoming_[id];
  incoming.size += name_size + value_size + kFieldOverhead;
  const size_t most = nghttp2_session_get_local_settings(session, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE);
  if (incoming.fields.size() >= size_t{2} * self.max_pairs_ || incoming.size > std::min(most, kMostHeaderBytes)) {
    if (!std::exchange(incoming.is_too_many, true))
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_ENHANCE_YOUR_CALM);
    return 0;
  }
  self.charge(id, name_size + value_size);
  incoming.fields.emplace_back(text_of(name, name_size));
  incoming.fields.emplace_back(text_of(value, value_size));
  if (flags & NGHTTP2_NV_FLAG_NO_INDEX) incoming.sensitive.emplace_back(text_of(name, name_size));
  return 0;
}

// A field that is not well formed is left out; the others count.
int Session::on_invalid_header(nghttp2_session*, const nghttp2_frame*, const uint8_t*, size_t, const uint8_t*, size_t,
                               uint8_t, void*) {
  return 0;
}

void Session::add_headers(const nghttp2_frame* frame) {
  auto node = incoming_.extract(stream_of(frame));
  if (node.empty() || node.mapped().is_too_many) return;
  const bool is_push = frame->hd.type == NGHTTP2_PUSH_PROMISE;
  auto& [fields, sensitive, size, is_too_many] = node.mapped();
  const size_t count = sensitive.size();
  for (auto& name : sensitive) fields.push_back(std::move(name));
  fields.push_back(std::to_string(count));
  events_.push_back({.kind = EventKind::Headers,
                     .id = stream_of(frame),
                     .first = is_push ? kPushPromise : static_cast<uint32_t>(frame->headers.cat),
                     .second = is_push ? static_cast<uint32_t>(frame->hd.stream_id)
                                       : static_cast<uint32_t>((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0),
                     .fields = std::move(node.mapped().fields)});
}

void Session::add_extension(const nghttp2_frame* frame) {
  Event event{.kind = EventKind::Origin, .id = frame->hd.stream_id};
  if (frame->hd.type == NGHTTP2_ALTSVC) {
    const auto& service = *static_cast<const nghttp2_ext_altsvc*>(frame->ext.payload);
    event.kind = EventKind::AltSvc;
    event.fields.emplace_back(text_of(service.origin, service.origin_len));
    event.fields.emplace_back(text_of(service.field_value, service.field_value_len));
  } else {
    const auto& origins = *static_cast<const nghttp2_ext_origin*>(frame->ext.payload);
    for (size_t i = 0; i < origins.nov; i++)
      event.fields.emplace_back(text_of(origins.ov[i].origin, origins.ov[i].origin_len));
  }
  events_.push_back(std::move(event));
}

// Values as of this frame, before the next is read.
void Session::add_settings() {
  Event event{.kind = EventKind::Settings};
  for (const int id : kSettings) {
    const uint32_t value = nghttp2_session_get_remote_settings(session_, static_cast<nghttp2_settings_id>(id));
    event.bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  events_.push_back(std::move(event));
}

int Session::on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  auto& self = of(user);
  self.frames_received_++;
  const bool is_ack = (frame->hd.flags & NGHTTP2_FLAG_ACK) != 0;
  switch (frame->hd.type) {
    case NGHTTP2_HEADERS:
    case NGHTTP2_PUSH_PROMISE:
      self.add_headers(frame);
      break;
    case NGHTTP2_SETTINGS:
      if (is_ack)
        self.events_.push_back({.kind = EventKind::SettingsAck});
      else
        self.add_settings();
      break;
    case NGHTTP2_PING:
      self.events_.push_back({.kind = is_ack ? EventKind::PingAck : EventKind::Ping,
                              .bytes = std::string(text_of(frame->ping.opaque_data, 8))});
      break;
    case NGHTTP2_GOAWAY:
      self.events_.push_back({.kind = EventKind::GoAway,
                              .first = frame->goaway.error_code,
                              .second = static_cast<uint32_t>(frame->goaway.last_stream_id),
                              .bytes = std::string(text_of(frame->goaway.opaque_data, frame->goaway.opaque_data_len))});
      break;
    case NGHTTP2_DATA:  // one that says nothing costs the peer less than us
      if (frame->hd.length == 0 && !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) return self.count_invalid_frame();
      break;
    case NGHTTP2_ALTSVC:
    case NGHTTP2_ORIGIN:
      self.add_extension(frame);
      break;
    default:
      break;
  }
  const bool carries_end = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
  if (carries_end && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) {
    self.events_.push_back({.kind = EventKind::End, .id = frame->hd.stream_id});
  }
  return 0;
}

int Session::on_data(nghttp2_session* session, uint8_t, int32_t id, const uint8_t* data, size_t size, void* user) {
  // The window of the connection is not to be held up by one stream that nobody reads; that of the stream is lib/'s to open.
  nghttp2_session_consume_connection(session, size);
  auto& self = of(user);
  self.charge(id, size);
  auto& events = self.events_;
  if (!events.empty() && events.back().kind == EventKind::Data && events.back().id == id &&
      events.back().bytes.size() >= kBulkFrame)
    events.back().bytes += text_of(data, size);
  else
    events.push_back({.kind = EventKind::Data, .id = id, .bytes = std::string(text_of(data, size))});
  return 0;
}

int Session::on_close(nghttp2_session*, int32_t id, uint32_t code, void* user) {
  auto& self = of(user);
  self.bodies_.erase(id);
  self.incoming_.erase(id);
  self.own_resets_.erase(id);
  if (const auto node = self.memory_of_.extract(id); !node.empty()) self.memory_ -= node.mapped();
  self.events_.push_back({.kind = EventKind::Close, .id = id, .first = code});
  return 0;
}

int Session::on_not_sent(nghttp2_session*, const nghttp2_frame* frame, int error, void* user) {
  // The end of a connection or stream takes its frames along; that is no error of its own.
  if (error == NGHTTP2_ERR_SESSION_CLOSING || error == NGHTTP2_ERR_STREAM_CLOSED ||
      error == NGHTTP2_ERR_STREAM_CLOSING) {
    const bool is_request = frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
    if (!is_request) return 0;
  }
  of(user).events_.push_back(
      {.kind = EventKind::FrameError, .id = frame->hd.stream_id, .first = frame->hd.type, .second = code_of(error)});
  return 0;
}

int Session::count_invalid_frame() {
  if (invalid_frames_left_ != 0) return invalid_frames_left_--, 0;
  events_.push_back({.kind = EventKind::TooMany});
  return NGHTTP2_ERR_CALLBACK_FAILURE;
}

// The library answers a violation with a GOAWAY and goes on as if nothing were: without these two nobody here would hear of it. An
// error that ends a stream alone is told by the stream's close.
int Session::on_invalid_frame(nghttp2_session*, const nghttp2_frame*, int error, void* user) {
  if (const int status = of(user).count_invalid_frame(); status != 0) return status;
  if (nghttp2_is_fatal(error) || error == NGHTTP2_ERR_PROTO || error == NGHTTP2_ERR_STREAM_CLOSED)
    of(user).events_.push_back({.kind = EventKind::Violation, .first = static_cast<uint32_t>(-error)});
  return 0;
}

// Most violations are told by nothing but the library's GOAWAY; more data than a window has room for by its reset of the stream, where
// newer versions of the library end the connection.
int Session::on_sent(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  auto& self = of(user);
  self.frames_sent_++;
  const bool is_overrun = frame->hd.type == NGHTTP2_RST_STREAM &&
                          frame->rst_stream.error_code == NGHTTP2_FLOW_CONTROL_ERROR &&
                          !self.own_resets_.contains(frame->hd.stream_id);
  if (is_overrun)
    self.events_.push_back({.kind = EventKind::Violation, .first = static_cast<uint32_t>(-NGHTTP2_ERR_PROTO)});
  if (frame->hd.type != NGHTTP2_GOAWAY) return 0;
  if (self.own_goaways_ != 0)
    self.own_goaways_--;
  else if (frame->goaway.error_code != NGHTTP2_NO_ERROR)
    self.events_.push_back({.kind = EventKind::Violation, .first = static_cast<uint32_t>(-NGHTTP2_ERR_PROTO)});
  return 0;
}

// To a multiple of eight with the frame's head.
ssize_t Session::pad_aligned(nghttp2_session*, const nghttp2_frame* frame, size_t most, void*) {
  constexpr size_t kHead = 9, kUnit = 8;
  const size_t over = (frame->hd.length + kHead) % kUnit;
  return static_cast<ssize_t>(over == 0 ? frame->hd.length : std::min(most, frame->hd.length + kUnit - over));
}

ssize_t Session::pad_most(nghttp2_session*, const nghttp2_frame*, size_t most, void*) {
  return static_cast<ssize_t>(most);
}

ssize_t Session::read_body(nghttp2_session*, int32_t id, uint8_t* buffer, size_t size, uint32_t* flags,
                           nghttp2_data_source*, void* user) {
  auto& self = of(user);
  auto found = self.bodies_.find(id);
  if (found == self.bodies_.end()) {
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    return 0;
  }
  auto& body = found->second;
  size_t filled = 0;
  while (filled < size && !body.chunks.empty()) {
    const auto& chunk = body.chunks.front();
    const size_t part = std::min(size - filled, chunk.size() - body.offset);
    std::copy_n(chunk.data() + body.offset, part, buffer + filled);
    filled += part;
    body.offset += part;
    if (body.offset == chunk.size()) {
      body.chunks.pop_front();
      body.offset = 0;
    }
  }
  self.release(id, filled);
  if (filled != 0) self.events_.push_back({.kind = EventKind::Sent, .id = id, .first = static_cast<uint32_t>(filled)});
  const bool is_over = body.chunks.empty() && body.is_last;
  if (filled == 0 && !is_over) return NGHTTP2_ERR_DEFERRED;
  if (is_over) {
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (body.has_trailers) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      self.events_.push_back({.kind = EventKind::WantTrailers, .id = id});
    }
  }
  return static_cast<ssize_t>(filled);
}

}  // namespace rondo::modules::http2
