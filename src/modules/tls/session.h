// One TLS connection: OpenSSL's state between ciphertext and plaintext. It never waits and never calls JavaScript of its own accord
// (a pre-shared key's function excepted, while JavaScript is what runs): advance() takes what has come in as far as it goes, sends
// what OpenSSL has to say, and answers with Outcome bits; what happened meanwhile stands in events().
//
//   ciphertext in    the stream's own bytes, lent for the time of one call, or feed()
//   ciphertext out   to the stream at once, or, without one (TLS over any Duplex), kept for take_output()
//
// Where OpenSSL has to ask the program (a session to resume, a context by name, a protocol), its callback suspends the handshake; the
// answer comes by a native and advance() goes on.
//
// Thread: the runtime's. `stream` is kept by the JavaScript object that also keeps this.
#pragma once

#include "modules/support/stream_object.h"
#include "modules/tls/context.h"
#include "runtime/native_class.h"
#include "tls/wire.h"

#include <optional>

namespace rondo::modules::tls {

enum class Side : uint8_t { Client, Server };

// The numbers are lib/internal/tls/handle.js's.
enum Outcome : int { kEvents = 1, kEnd = 2, kFailed = 4, kOutput = 8, kHeld = 16, kInput = 32, kMore = 64 };
enum class EventKind : uint8_t { HandshakeStart, HandshakeDone, Hello, Certificate, NewSession, Keylog, Ocsp };

struct Event {
  EventKind kind;
  std::optional<std::string> first, second;
  bool flag = false;
};

class Session final : public engine::NativeObject {
 public:
  Session(runtime::Runtime& runtime, SecureContext& context, Side side);
  ~Session() override;

  static Session* of(const SSL* ssl) { return static_cast<Session*>(SSL_get_app_data(ssl)); }
  SSL* ssl() const { return ssl_.get(); }
  bool is_open() const { return ssl_ && !is_doomed_; }
  Side side() const { return side_; }
  runtime::Runtime& runtime() const { return runtime_; }
  net::StreamObject* stream() const { return stream_; }
  void attach(net::StreamObject* stream) { stream_ = stream; }

  // Ciphertext. keep() copies the lent bytes that advance() has not used.
  void lend(std::span<const uint8_t> bytes) { wire_.lend(bytes); }
  void keep();
  void feed(std::span<const uint8_t> bytes) { wire_.feed(bytes); }
  // `psk`: the function that knows keys, or nothing.
  int advance(engine::Value psk = {});
  // Only OpenSSL's own code has to run for what comes next.
  bool needs_no_script() const { return established_ && !may_ask_psk_; }

  // Plaintext that advance() left, or null.
  JSC::JSUint8Array* take_plain(JSC::JSGlobalObject* realm);

  // False while a handshake is under way.
  bool can_encrypt() const { return ssl_ && !failed_ && SSL_is_init_finished(ssl_.get()); }
  bool encrypt(std::span<const uint8_t> bytes);
  // Sends what OpenSSL has written; with a stream nothing is left.
  void flush();
  Result<Progress> send(Function<void(Result<void>)> done);
  std::string& output() { return wire_.output(); }
  void shut_down();

  // A write that waits for the handshake.
  std::string held;
  runtime::Continuation held_done;
  bool is_holding = false;

  std::vector<Event>& events() { return events_; }
  JSC::JSObject* make_error(JSC::JSGlobalObject* realm) const;

  // Frees OpenSSL's state, at the latest when it is no longer running.
  void destroy();

  // Data that callbacks of OpenSSL read and write.
  bool wants_sessions = false;  // resumeSession, newSession, session
  bool wants_hello = false, wants_certificate = false, wants_keylog = false;
  bool uses_alpn_answer = false;
  std::optional<std::string> alpn_answer;
  std::string alpn_protocols;  // the server's, in wire format
  std::string psk_hint, ocsp_response, servername;
  SslSessionPtr offered_session;
  BioPtr trace;  // where enableTrace() writes
  void let_ask_psk() { may_ask_psk_ = true; }
  enum class Question : uint8_t { None, Asked, Answered } hello = Question::None, certificate = Question::None;

  void on_handshake(bool is_start);
  void tell(Event event) { events_.push_back(std::move(event)); }
  engine::Value ask_psk(const JSC::ArgList& arguments);

 private:
  size_t input_size() const { return wire_.input_size(); }
  void read_plain();
  void note_failure();
  void make_room(size_t size);

  runtime::Runtime& runtime_;
  Side side_;
  rondo::tls::Wire wire_;  // outlives ssl_, whose BIO it is
  SslPtr ssl_;
  net::StreamObject* stream_ = nullptr;
  uint8_t* plain_ = nullptr;  // malloc'ed
  size_t plain_size_ = 0, plain_room_ = 0;
  std::vector<Event> events_;
  engine::Value psk_;  // while advance() runs
  bool established_ = false, ended_ = false, told_end_ = false, failed_ = false, told_failure_ = false;
  bool may_ask_psk_ = false, is_running_ = false, is_doomed_ = false, has_more_ = false;
  struct {
    std::string message, library, reason, code;
  } failure_;
};

// OpenSSL's callbacks, which find their Session through the SSL.
void install_callbacks(SSL_CTX* context);
void install_psk(Session& session);
void enable_keylog(SSL_CTX* context);

}  // namespace rondo::modules::tls
