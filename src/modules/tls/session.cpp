// See session.h.
#include "modules/tls/session.h"

#include "engine/core/buffer_class.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

namespace rondo::modules::tls {

using namespace engine;
using runtime::Runtime;

namespace {

constexpr size_t kRecord = 16 * 1024, kRecordOverhead = 128;
// Above this a Buffer takes the memory itself; below, a copy leaves no room unused.
constexpr size_t kLargePiece = 8 * 1024;
constexpr size_t kLargestIdleOutput = 4 * 1024, kLargestSpareOutput = 512 * 1024;

// Memory for ciphertext on its way out goes from connection to connection: an idle one has none.
struct SpareOutput {
  std::string memory;
};

int accept_any(int, X509_STORE_CTX*) { return 1; }  // judged in JavaScript, by SSL_get_verify_result

}  // namespace

Session::Session(Runtime& runtime, SecureContext& context, Side side)
    : runtime_(runtime), side_(side), ssl_(SSL_new(context.get())) {
  if (!ssl_) return;
  SSL_set_app_data(ssl(), this);
  BIO* bio = wire_.new_bio();
  SSL_set_bio(ssl(), bio, bio);
  SSL_set_verify(ssl(), SSL_VERIFY_NONE, accept_any);
  if (side == Side::Server) {
    SSL_set_accept_state(ssl());
  } else {
    context.load_roots(runtime);
    SSL_set_connect_state(ssl());
  }
}

Session::~Session() { std::free(plain_); }

void Session::keep() {
  if (ssl_ && !failed_) wire_.keep();
  wire_.drop_lent();
}

void Session::make_room(size_t size) {
  if (plain_room_ - plain_size_ >= size) return;
  plain_room_ = std::max(plain_size_ + size, plain_room_ * 2);
  plain_ = static_cast<uint8_t*>(std::realloc(plain_, plain_room_));
}

void Session::read_plain() {
  // A connection's plaintext is never longer than its ciphertext, but for what OpenSSL holds of a record that has begun.
  make_room(std::clamp(input_size(), size_t{2048}, 4 * kRecord));
  has_more_ = false;
  while (true) {
    const size_t input = input_size();
    size_t size = 0;
    if (SSL_read_ex(ssl(), plain_ + plain_size_, plain_room_ - plain_size_, &size) == 1) {
      plain_size_ += size;
      if (plain_room_ == plain_size_) make_room(kRecord);
      continue;
    }
    switch (SSL_get_error(ssl(), 0)) {
      case SSL_ERROR_ZERO_RETURN:
        ended_ = true;
        return;
      case SSL_ERROR_SSL:
      case SSL_ERROR_SYSCALL:
        note_failure();
        return;
      case SSL_ERROR_WANT_READ:
        // Between two records: a session is told while it is the connection's newest.
        has_more_ = input_size() > 0 && !events_.empty() && events_.back().kind == EventKind::NewSession;
        if (has_more_ || input_size() == 0 || input_size() == input) return;
        break;
      default:
        return;  // the program has to answer
    }
  }
}

int Session::advance(Value psk) {
  if (!ssl_ || is_running_) return 0;
  ERR_clear_error();
  if (!failed_ && !ended_) {
    is_running_ = true;
    psk_ = psk;
    read_plain();
    psk_ = {};
    is_running_ = false;
  }
  // Bytes that begin another handshake or end one are sent when the program has seen it: a refused peer gets none of them.
  const bool is_done =
      std::any_of(events_.begin(), events_.end(), [](auto& event) { return event.kind <= EventKind::HandshakeDone; });
  if (!is_done) flush();
  if (is_doomed_) {
    destroy();
    return 0;
  }
  int outcome = events_.empty() ? 0 : kEvents;
  if (ended_ && !told_end_) outcome |= kEnd;
  if (failed_ && !told_failure_) outcome |= kFailed;
  if (has_more_) outcome |= kMore;
  if (!output().empty() && !is_done) outcome |= kOutput;
  if (is_holding && can_encrypt()) outcome |= kHeld;
  told_end_ = ended_;
  told_failure_ = failed_;
  return outcome;
}

JSC::JSUint8Array* Session::take_plain(JSC::JSGlobalObject* realm) {
  if (plain_size_ == 0) {
    std::free(plain_);
    plain_ = nullptr;
    plain_room_ = 0;
    return nullptr;
  }
  auto* bytes = std::exchange(plain_, nullptr);
  const size_t size = std::exchange(plain_size_, 0), room = std::exchange(plain_room_, 0);
  if (size < kLargePiece) {
    auto* made = make_buffer(realm, {bytes, size});
    std::free(bytes);
    return made;
  }
  if (size < room - room / 4) bytes = static_cast<uint8_t*>(std::realloc(bytes, size));
  return adopt_buffer(realm, bytes, size);
}

bool Session::encrypt(std::span<const uint8_t> bytes) {
  if (bytes.empty()) return true;
  ERR_clear_error();
  std::string& output = wire_.output();
  if (output.empty() && output.capacity() < bytes.size()) output.swap(runtime_.local<SpareOutput>().memory);
  output.reserve(output.size() + bytes.size() + (bytes.size() / kRecord + 1) * kRecordOverhead);
  size_t written = 0;
  if (SSL_write_ex(ssl(), bytes.data(), bytes.size(), &written) == 1) return true;
  note_failure();
  return false;
}

void Session::flush() {
  // Readers are told of a connection that is gone.
  if (!output().empty()) (void)send({});
}

Result<Progress> Session::send(Function<void(Result<void>)> done) {
  if (!stream_) return Progress::Done;
  std::string& output = wire_.output();
  // The stream may call back into us only from the loop, so the memory stays ours during the call.
  auto sent =
      stream_->stream().write_copy({reinterpret_cast<const std::byte*>(output.data()), output.size()}, std::move(done));
  output.clear();
  if (output.capacity() <= kLargestIdleOutput) return sent;
  auto& spare = runtime_.local<SpareOutput>().memory;
  if (output.capacity() <= kLargestSpareOutput && spare.capacity() < output.capacity()) spare.swap(output);
  if (output.capacity() > kLargestIdleOutput) std::string().swap(output);
  return sent;
}

void Session::shut_down() {
  ERR_clear_error();
  if (can_encrypt()) SSL_shutdown(ssl());
  ERR_clear_error();
}

void Session::note_failure() {
  failed_ = true;
  const auto error = ERR_peek_error();
  if (const char* library = ERR_lib_error_string(error)) failure_.library = library;
  if (const char* reason = ERR_reason_error_string(error)) {
    failure_.reason = reason;
    failure_.code = std::string("ERR_SSL_") + reason;
    std::transform(failure_.code.begin(), failure_.code.end(), failure_.code.begin(),
                   [](unsigned char c) { return c == ' ' ? '_' : static_cast<char>(std::toupper(c)); });
  }
  ERR_print_errors_cb(
      [](const char* text, size_t size, void* out) {
        static_cast<std::string*>(out)->append(text, size);
        return 1;
      },
      &failure_.message);
}

JSC::JSObject* Session::make_error(JSC::JSGlobalObject* realm) const {
  auto& vm = realm->vm();
  auto* error = JSC::createError(realm, to_wtf(failure_.message));
  if (!failure_.library.empty()) put(realm, error, "library", make_string(vm, failure_.library));
  if (!failure_.reason.empty()) put(realm, error, "reason", make_string(vm, failure_.reason));
  if (!failure_.code.empty()) put(realm, error, "code", make_string(vm, failure_.code));
  return error;
}

void Session::on_handshake(bool is_start) {
  if (is_start) {
    if (!established_) return;
    hello = certificate = Question::None;
    tell({EventKind::HandshakeStart, {}, {}});
  } else if (!SSL_renegotiate_pending(ssl())) {
    established_ = true;
    tell({EventKind::HandshakeDone, {}, {}});
  }
}

Value Session::ask_psk(const JSC::ArgList& arguments) {
  if (!psk_ || !psk_.isCallable()) return {};
  return runtime_.call_nested(psk_, JSC::jsUndefined(), arguments).value;
}

void Session::destroy() {
  stream_ = nullptr;
  held_done = {};
  is_holding = false;
  if (is_running_) {
    is_doomed_ = true;
    return;
  }
  ssl_.reset();
  events_.clear();
  wire_.clear();
}

}  // namespace rondo::modules::tls
