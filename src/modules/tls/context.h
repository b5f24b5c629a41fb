// tls.SecureContext's native half: an SSL_CTX with what its connections ask of it. The certificate authorities are loaded when a
// connection first needs them, so that a server that verifies nobody never does.
//
// Thread: the runtime's.
#pragma once

#include "modules/crypto/openssl.h"

#include "engine/core/native_object.h"
#include "runtime/runtime.h"

#include <array>

namespace rondo::modules::tls {

// Name, HMAC key, AES key; 16 bytes each.
using TicketKeys = std::array<uint8_t, 48>;

class SecureContext final : public engine::NativeObject {
 public:
  explicit SecureContext(SslContextPtr context);

  SSL_CTX* get() const { return context_.get(); }
  // They live as long as the SSL_CTX, which may outlive this.
  TicketKeys& ticket_keys() const;

  // Leaf first.
  bool use_chain(X509Ptr leaf, STACK_OF(X509) * others);
  bool use_pem_chain(std::span<const uint8_t> pem);
  void add_authorities(runtime::Runtime& runtime, std::span<const uint8_t> pem);

  // The default authorities are wanted; those of `runtime` are taken when verification begins.
  void want_roots() { wants_roots_ = true; }
  void load_roots(runtime::Runtime& runtime);
  // A store that only this context changes.
  X509_STORE* own_store(runtime::Runtime& runtime);

  X509* certificate() const { return certificate_.get(); }
  X509* issuer(runtime::Runtime& runtime);

 private:
  SslContextPtr context_;
  X509Ptr certificate_, issuer_;
  bool wants_roots_ = false;  // not loaded yet
  bool has_own_store_ = true;
};

// The authorities that contexts without `ca` trust.
class Roots {
 public:
  using Certificates = std::vector<X509Ptr>;
  explicit Roots(runtime::Runtime& runtime) : runtime_(runtime) {}

  // Debian's bundle, or what SSL_CERT_FILE names.
  const Certificates& system();
  // NODE_EXTRA_CA_CERTS. `problem` says why there are none, if there should be some.
  const Certificates& extra(std::string* problem = nullptr);
  // tls.setDefaultCACertificates
  void replace(Certificates certificates);
  const Certificates& replacement() const { return replacement_; }

  // All of them; shared by contexts.
  X509_STORE* store();
  X509StorePtr new_store();

 private:
  template <class Use>
  void for_each(Use use);

  runtime::Runtime& runtime_;
  bool has_system_ = false, has_extra_ = false, replaced_ = false;
  Certificates system_, extra_, replacement_;
  std::string extra_problem_;
  X509StorePtr store_;
};

SecureContext* context_in(engine::Value value);
// The bytes of an option: a string's UTF-8, or a view's bytes.
std::string bytes_or_text(const engine::Call& call, unsigned index);
Roots::Certificates certificates_in(std::span<const uint8_t> pem);

extern const std::span<const engine::FunctionSpec> kContextFunctions;
extern const std::span<const engine::FunctionSpec> kRootFunctions;
extern const std::span<const engine::FunctionSpec> kInfoMethods;

}  // namespace rondo::modules::tls
