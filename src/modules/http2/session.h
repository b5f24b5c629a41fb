// One HTTP/2 connection as nghttp2 knows it: bytes of the peer in, events out; frames submitted, bytes for the peer out. No socket and
// no JavaScript: lib/internal/http2/session.js has both, and nothing calls back while bytes are read, so nothing can come in between.
//
// Owner: the cell of the native object. Thread: the VM's.
#pragma once

#include "engine/core/native_object.h"

#include <nghttp2/nghttp2.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::modules::http2 {

// Category of the headers of a PUSH_PROMISE, beside nghttp2_headers_category.
inline constexpr uint32_t kPushPromise = 4;

// lib/internal/http2/session.js reads their numbers from native('http2').
enum class EventKind : uint8_t {
  Headers,  // id, category, ends the stream?, fields, then the names of the sensitive ones and their number
  Data,  // id, bytes
  End,  // id: the peer sends no more
  Close,  // id, error code
  Settings,  // the peer's have changed: values of kSettings, of four bytes each
  SettingsAck,
  Ping,  // payload
  PingAck,  // payload
  GoAway,  // error code, last stream, opaque data
  Sent,  // id, how many bytes have left its queue
  WantTrailers,  // id: its last byte has left
  FrameError,  // id, type, error code
  Violation,  // the library's error, negated: the peer broke the protocol, and the connection ends
  AltSvc,  // id, fields: origin and value
  Origin,  // fields: the origins
  TooMany,  // invalid frames: the connection ends
};

struct Event {
  EventKind kind;
  int32_t id = 0;
  uint32_t first = 0, second = 0;
  std::string bytes = {};
  std::vector<std::string> fields = {};  // name, value, name, value, …
};

struct Limits {
  uint32_t header_pairs = 128;
  uint32_t header_block = 0;  // 0: the library's
  uint32_t settings = 32;
  uint32_t reserved_streams = 200;
  uint32_t deflate_table = 4096;
  uint32_t invalid_frames = 1000;
  uint32_t padding = 0;  // Padding
  uint32_t memory = 10'000'000;  // bytes, past which streams of the peer are refused
  uint32_t rejected_streams = 100;  // in a row
  uint32_t reset_burst = 1000, reset_rate = 33;  // streams that the peer may reset at once, and in a second
  uint32_t peer_streams = 100;  // until the peer says how many it takes
  bool checks_whitespace = true;
};

// The settings whose values are told.
inline constexpr int kSettings[] = {1, 2, 3, 4, 5, 6, 8};

enum Padding : uint8_t { kNoPadding, kAlignedPadding, kMaxPadding };

struct Fields {
  std::vector<nghttp2_nv> list;
  std::string text;  // what the list points into
};

class Session final : public engine::NativeObject {
 public:
  enum class Side : uint8_t { Server, Client };
  Session(Side side, const Limits& limits);
  ~Session() override { nghttp2_session_del(session_); }

  nghttp2_session* get() const { return session_; }
  // 0, or the error of a connection that is beyond repair.
  int receive(std::span<const uint8_t> bytes);
  std::vector<Event> take_events() { return std::exchange(events_, {}); }
  // A GOAWAY leaves because lib/ asked for it.
  void expect_goaway() { own_goaways_++; }
  // Bytes to be written to the peer now; a few hundred kilobytes at most, so that the socket can say when it has enough.
  std::string take_output();

  // Data of a stream to send: each call gives the next part.
  void begin_body(int32_t id, bool has_trailers) { bodies_[id] = {.has_trailers = has_trailers}; }
  void append(int32_t id, std::span<const uint8_t> bytes, bool is_last);
  nghttp2_data_provider provider() { return {.source = {.ptr = this}, .read_callback = read_body}; }
  void drop_body(int32_t id) { bodies_.erase(id); }
  // So many bytes of the peer have been read.
  void release(int32_t id, size_t bytes);
  // A reset of the stream leaves because lib/ asked for it.
  void expect_reset(int32_t id) { own_resets_.insert(id); }
  uint64_t frames_received() const { return frames_received_; }
  uint64_t frames_sent() const { return frames_sent_; }

 private:
  struct Body {
    std::deque<std::string> chunks = {};
    size_t offset = 0;  // in the first
    bool is_last = false;
    bool has_trailers = false;
  };
  struct Incoming {
    std::vector<std::string> fields = {};
    std::vector<std::string> sensitive = {};
    size_t size = 0;  // as SETTINGS_MAX_HEADER_LIST_SIZE counts
    bool is_too_many = false;
  };

  // Frames that cost the peer less than us: a burst of them, and so many a second.
  class FrameBudget {
   public:
    bool take();

   private:
    double left_ = 1000;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  };

  static Session& of(void* user) { return *static_cast<Session*>(user); }
  static int on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* head, void* user);
  static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_size,
                       const uint8_t* value, size_t value_size, uint8_t flags, void* user);
  static int on_invalid_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_size,
                               const uint8_t* value, size_t value_size, uint8_t flags, void* user);
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_data(nghttp2_session*, uint8_t flags, int32_t id, const uint8_t* data, size_t size, void* user);
  static int on_close(nghttp2_session*, int32_t id, uint32_t code, void* user);
  static int on_not_sent(nghttp2_session*, const nghttp2_frame* frame, int error, void* user);
  static int on_invalid_frame(nghttp2_session*, const nghttp2_frame* frame, int error, void* user);
  static int on_sent(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static ssize_t pad_aligned(nghttp2_session*, const nghttp2_frame* frame, size_t most, void* user);
  static ssize_t pad_most(nghttp2_session*, const nghttp2_frame* frame, size_t most, void* user);
  static ssize_t read_body(nghttp2_session*, int32_t id, uint8_t* buffer, size_t size, uint32_t* flags,
                           nghttp2_data_source* source, void* user);
  void add_headers(const nghttp2_frame* frame);
  void add_extension(const nghttp2_frame* frame);
  void add_settings();
  int count_invalid_frame();
  int refuse_stream(int32_t id);
  void charge(int32_t id, size_t bytes);
  static int32_t stream_of(const nghttp2_frame* frame);

  nghttp2_session* session_ = nullptr;
  uint32_t max_pairs_;
  uint32_t own_goaways_ = 0;
  uint64_t invalid_frames_left_;
  size_t most_memory_;
  size_t memory_ = 0;  // of all streams
  std::map<int32_t, size_t> memory_of_;  // open streams of the peer: what they take here
  uint32_t most_rejected_;
  uint32_t rejected_ = 0;  // streams since the last that was taken up
  FrameBudget idle_frames_;
  std::set<int32_t> own_resets_;
  uint64_t frames_received_ = 0, frames_sent_ = 0;
  std::map<int32_t, Incoming> incoming_;  // fields of the block that is being read
  std::map<int32_t, Body> bodies_;
  std::vector<Event> events_;
};

}  // namespace rondo::modules::http2
