// One connection: OpenSSL between a stream and its user. The rules are in the header.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "rondo/address.h"
#include "rondo/coroutine.h"
#include "rondo/tls.h"
#include "tls/wire.h"

namespace rondo::tls {
namespace {

constexpr std::size_t kPlainBytes = 16 * 1024;  // a record
constexpr std::size_t kEncryptAtOnce = 64 * 1024;

std::span<const std::uint8_t> octets(Bytes bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

}  // namespace

Connection::Connection(Stream& stream, const Context& context, std::string host)
    : stream_(stream), context_(context), wire_(std::make_unique<Wire>()), ssl_(SSL_new(context.native())) {
  if (!ssl_) {
    error_ = ENOMEM;
    return;
  }
  BIO* bio = wire_->new_bio();
  SSL_set_bio(ssl_, bio, bio);
  if (context.is_server()) {
    SSL_set_accept_state(ssl_);
    return;
  }
  SSL_set_connect_state(ssl_);
  const bool is_number = Address::ip(host, 0).has_value();
  if (!is_number && !host.empty()) SSL_set_tlsext_host_name(ssl_, host.c_str());
  if (!context.verifies_) return;
  if (host.empty()) {
    error_ = EINVAL;
    error_text_ = "a client needs the name of the host that it verifies";
    return;
  }
  X509_VERIFY_PARAM* parameters = SSL_get0_param(ssl_);
  X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (is_number) {
    X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str());
  } else {
    SSL_set1_host(ssl_, host.c_str());
  }
}

Connection::~Connection() { SSL_free(ssl_); }

int Connection::outcome_of(int result) {
  if (result > 0) return 0;
  switch (SSL_get_error(ssl_, result)) {
    case SSL_ERROR_WANT_READ:
      return EAGAIN;
    case SSL_ERROR_ZERO_RETURN:
      return kEndOfFile;
    default:
      break;
  }
  const unsigned long code = ERR_peek_last_error();
  const char* reason = code ? ERR_reason_error_string(code) : nullptr;
  error_text_ = reason ? reason : "unexpected end";
  if (const long verdict = SSL_get_verify_result(ssl_); verdict != X509_V_OK && context_.verifies_)
    error_text_ += std::string(": ") + X509_verify_cert_error_string(verdict);
  ERR_clear_error();
  return error_ = EPROTO;
}

// Output of OpenSSL goes to the stream at once, behind bytes that wait there.
Result<void> Connection::flush() {
  std::string& output = wire_->output();
  if (output.empty()) return {};
  const auto written = stream_.write_copy(as_bytes(output));
  output.clear();
  if (!written) return std::unexpected(written.error());
  return {};
}

// More of the peer's bytes.
Coroutine<Result<void>> Connection::receive(CancelToken token) {
  const Result<Bytes> piece = co_await stream_.read(token);
  if (!piece) co_return std::unexpected(piece.error());
  if (piece->empty()) {
    error_text_ = "the stream ended without the end of TLS";
    co_return failure(error_ = ECONNABORTED, "tls");
  }
  wire_->feed(octets(*piece));
  co_return Result<void>();
}

Coroutine<Result<void>> Connection::handshake(CancelToken token) {
  for (;;) {
    if (error_) co_return failure(error_, "tls");
    ERR_clear_error();
    const int outcome = outcome_of(SSL_do_handshake(ssl_));
    const Result<void> sent = flush();  // an alert too
    if (outcome == 0) {
      is_established_ = true;
      co_return sent;
    }
    if (outcome != EAGAIN) co_return failure(outcome, "tls");
    if (!sent) co_return sent;
    const Result<void> received = co_await receive(token);
    if (!received) co_return received;
  }
}

Coroutine<Result<Bytes>> Connection::read(CancelToken token) {
  plain_.reset();  // an idle connection pins no memory
  for (;;) {
    if (error_) co_return failure(error_, "tls");
    if (wire_->input_size() > 0 || SSL_pending(ssl_) > 0) {
      if (!plain_) plain_ = std::make_unique_for_overwrite<std::byte[]>(kPlainBytes);
      ERR_clear_error();
      const int size = SSL_read(ssl_, plain_.get(), static_cast<int>(kPlainBytes));
      const int outcome = outcome_of(size);
      const Result<void> sent = flush();  // an answer to a change of keys, an alert
      if (outcome == 0) co_return Bytes(plain_.get(), static_cast<std::size_t>(size));
      if (outcome == kEndOfFile) co_return Bytes();
      if (outcome != EAGAIN) co_return failure(outcome, "tls");
      if (!sent) co_return std::unexpected(sent.error());
      plain_.reset();
    }
    if (SSL_get_shutdown(ssl_) & SSL_RECEIVED_SHUTDOWN) co_return Bytes();
    const Result<void> received = co_await receive(token);
    if (!received) co_return std::unexpected(received.error());
  }
}

Coroutine<Result<void>> Connection::write_all(Bytes data, CancelToken token) {
  while (!data.empty()) {
    if (error_) co_return failure(error_, "tls");
    if (!is_established_) co_return failure(ENOTCONN, "tls");
    const Bytes part = data.first(std::min(data.size(), kEncryptAtOnce));
    data = data.subspan(part.size());
    ERR_clear_error();
    // The output takes everything, so this never has to wait.
    if (const int outcome = outcome_of(SSL_write(ssl_, part.data(), static_cast<int>(part.size())))) {
      if (outcome == EAGAIN) error_ = EPROTO;
      co_return failure(EPROTO, "tls");
    }
    std::string& output = wire_->output();
    auto write = stream_.write_all(as_bytes(output), token);  // copies what has to wait
    output.clear();
    const Result<void> written = co_await std::move(write);
    if (!written) {
      error_ = written.error().number;
      co_return written;
    }
  }
  co_return Result<void>();
}

Coroutine<Result<void>> Connection::shut_down(CancelToken token) {
  if (error_ || !ssl_) co_return failure(error_ ? error_ : ENOTCONN, "tls");
  ERR_clear_error();
  SSL_shutdown(ssl_);
  ERR_clear_error();
  std::string& output = wire_->output();
  auto write = stream_.write_all(as_bytes(output), token);
  output.clear();
  co_return co_await std::move(write);
}

std::string_view Connection::version() const { return ssl_ ? SSL_get_version(ssl_) : ""; }

std::string_view Connection::cipher() const {
  const char* name = ssl_ ? SSL_get_cipher_name(ssl_) : nullptr;
  return name ? name : "";
}

std::string_view Connection::protocol() const {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  if (ssl_) SSL_get0_alpn_selected(ssl_, &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

std::string_view Connection::requested_host() const {
  const char* name = ssl_ ? SSL_get_servername(ssl_, TLSEXT_NAMETYPE_host_name) : nullptr;
  return name ? name : "";
}

std::string Connection::peer_subject() const {
  const X509* certificate = ssl_ ? SSL_get0_peer_certificate(ssl_) : nullptr;
  if (!certificate) return "";
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), BIO_free);
  X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(text.get(), &bytes);
  return {bytes, static_cast<std::size_t>(std::max(0L, size))};
}

}  // namespace rondo::tls
