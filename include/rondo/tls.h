// TLS 1.2 and 1.3 over any Stream, by OpenSSL. An optional part of the library: link rondo::tls. Not in rondo/rondo.h.
//
//   rondo::Result<rondo::tls::Context> context = rondo::tls::Context::client();
//   rondo::Tcp tcp(loop);
//   ... co_await tcp.connect(addresses, {.timeout = 5s}, token) ...
//   rondo::tls::Connection connection(tcp, *context, "example.org");
//   rondo::Result<void> ready = co_await connection.handshake(token);       // the certificate is for that name, or EPROTO
//   ... co_await connection.write_all(bytes), co_await connection.read() ...
//   ... co_await connection.shut_down(), then close the stream ...
//
//  TL1 The connection refers to the stream and must go before it. From handshake() on the stream's bytes are its own.
//  TL2 One read and one write at a time; both may be under way at once. handshake() and shut_down() count as both.
//  TL3 A piece from read() is valid until the next read. An empty piece is the end that the peer has said (close_notify); a stream that
//      ends without it is ECONNABORTED: what came may be cut off.
//  TL4 Errors of the protocol, certificates included, are EPROTO; error_text() says which. After one, and after a write that was
//      cancelled, the connection is of no use any more.
//  TL5 Nothing here waits except for the stream, so it works in a simulated world (rondo/sim.h) as on sockets.
//
// Thread: the loop's. A Context may be shared by threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/bytes.h"
#include "rondo/cancel.h"
#include "rondo/coroutine_type.h"
#include "rondo/stream.h"

struct ssl_ctx_st;
struct ssl_st;

namespace rondo {
namespace [[gnu::visibility("default")]] tls {

class Wire;

enum class Version : std::uint8_t { Tls12, Tls13 };
enum class PeerCertificate : std::uint8_t {
  Default,  // a client verifies the server's; a server asks for none
  Required,  // verified, and there must be one
  Ignored,  // whatever there is: encryption without identity
};

// Certificates and keys are PEM text.
struct ContextOptions {
  std::string certificate_chain = {};  // the own one first, then those that lead to a root
  std::string private_key = {};
  std::string authorities = {};  // whom to trust; empty: the system's
  PeerCertificate peer = PeerCertificate::Default;
  Version minimum = Version::Tls12;
  std::vector<std::string> protocols = {};  // ALPN, the preferred first
};

// Certificates, keys and trust that connections share. Copies refer to one context.
class Context {
 public:
  // EINVAL: a certificate or key that cannot be read, or that do not belong together; `problem` says which.
  [[nodiscard]] static Result<Context> client(const ContextOptions& options = {}, std::string* problem = nullptr);
  [[nodiscard]] static Result<Context> server(const ContextOptions& options, std::string* problem = nullptr);

  bool is_server() const { return is_server_; }
  ssl_ctx_st* native() const { return context_.get(); }  // OpenSSL's SSL_CTX, for what is not offered here

 private:
  friend class Connection;
  Context() = default;
  [[nodiscard]] static Result<Context> make(const ContextOptions& options, bool is_server, std::string* problem);

  std::shared_ptr<ssl_ctx_st> context_;
  std::shared_ptr<const std::string> protocols_;  // in wire format
  bool is_server_ = false;
  bool verifies_ = true;
};

class Connection {
 public:
  // `host`: the name (or numeric address) that the server's certificate must be for, and that it is asked for (SNI). Empty only for
  // servers, and with PeerCertificate::Ignored.
  Connection(Stream& stream, const Context& context, std::string host = {});
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  [[nodiscard]] Coroutine<Result<void>> handshake(CancelToken token = {});
  [[nodiscard]] Coroutine<Result<Bytes>> read(CancelToken token = {});
  // Waits while the stream does not take it. The bytes are used before the first wait, up to 64 KB at a time.
  [[nodiscard]] Coroutine<Result<void>> write_all(Bytes data, CancelToken token = {});
  // Tells the peer that nothing more comes. Does not wait for the same from the other side: read() to the end for that.
  [[nodiscard]] Coroutine<Result<void>> shut_down(CancelToken token = {});

  Stream& stream() { return stream_; }
  bool is_established() const { return is_established_; }
  // After the handshake.
  std::string_view version() const;  // "TLSv1.3"
  std::string_view cipher() const;
  std::string_view protocol() const;  // ALPN; empty: none was agreed on
  std::string_view requested_host() const;  // SNI, at a server
  // Of the peer's certificate; empty: there is none.
  std::string peer_subject() const;
  // Why it failed: "certificate verify failed: self-signed certificate".
  const std::string& error_text() const { return error_text_; }
  ssl_st* native() const { return ssl_; }  // OpenSSL's SSL

 private:
  // 0, an errno, or EAGAIN: more of the peer's bytes are needed.
  int outcome_of(int result);
  [[nodiscard]] Result<void> flush();
  [[nodiscard]] Coroutine<Result<void>> receive(CancelToken token);

  Stream& stream_;
  const Context context_;
  const std::unique_ptr<Wire> wire_;
  ssl_st* ssl_ = nullptr;
  std::unique_ptr<std::byte[]> plain_;
  std::string error_text_;
  int error_ = 0;
  bool is_established_ = false;
};

}  // namespace tls
}  // namespace rondo
