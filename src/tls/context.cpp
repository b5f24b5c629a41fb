// Certificates, keys, whom to trust, protocols: an SSL_CTX made from options.
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "rondo/tls.h"

namespace rondo::tls {
namespace {

using BioPtr = std::unique_ptr<BIO, decltype(&BIO_free)>;
using X509Ptr = std::unique_ptr<X509, decltype(&X509_free)>;
using KeyPtr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

BioPtr text_of(const std::string& pem) { return {BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free}; }

std::string last_reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* reason = code ? ERR_reason_error_string(code) : nullptr;
  ERR_clear_error();
  return reason ? reason : "unknown reason";
}

// How many certificates were read; each goes to `use`, which takes it.
template <class Use>
int for_each_certificate(const std::string& pem, Use use) {
  const BioPtr text = text_of(pem);
  int count = 0;
  while (X509* certificate = PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr))
    use(X509Ptr(certificate, X509_free), count++);
  ERR_clear_error();  // the end of the text
  return count;
}

const char* use_identity(SSL_CTX* context, const ContextOptions& options) {
  bool is_good = true;
  const int count = for_each_certificate(options.certificate_chain, [&](X509Ptr certificate, int index) {
    is_good &= (index == 0 ? SSL_CTX_use_certificate(context, certificate.get())
                           : SSL_CTX_add1_chain_cert(context, certificate.get())) == 1;
  });
  if (count == 0) return "there is no certificate in certificate_chain";
  if (!is_good) return "a certificate cannot be used";
  const BioPtr text = text_of(options.private_key);
  const KeyPtr key(PEM_read_bio_PrivateKey(text.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  if (!key) return "there is no key in private_key";
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1)
    return "the key does not belong to the certificate";
  return nullptr;
}

const char* trust(SSL_CTX* context, const std::string& authorities) {
  if (authorities.empty()) return SSL_CTX_set_default_verify_paths(context) == 1 ? nullptr : "no system authorities";
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  const int count = for_each_certificate(
      authorities, [&](X509Ptr certificate, int) { X509_STORE_add_cert(store, certificate.get()); });
  return count > 0 ? nullptr : "there is no certificate in authorities";
}

// Each with its length before it.
std::string wire_format(const std::vector<std::string>& protocols) {
  std::string wire;
  for (const std::string& protocol : protocols) {
    if (protocol.empty() || protocol.size() > 255) continue;
    wire += static_cast<char>(protocol.size());
    wire += protocol;
  }
  return wire;
}

// The server's preference decides; none in common: the handshake goes on without.
int select_protocol(SSL*, const unsigned char** out, unsigned char* size, const unsigned char* offered,
                    unsigned offered_size, void* ours) {
  const auto& wire = *static_cast<const std::string*>(ours);
  unsigned char* chosen = nullptr;
  const int result = SSL_select_next_proto(&chosen, size, reinterpret_cast<const unsigned char*>(wire.data()),
                                           static_cast<unsigned>(wire.size()), offered, offered_size);
  *out = chosen;
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

Result<Context> Context::client(const ContextOptions& options, std::string* problem) {
  return make(options, false, problem);
}

Result<Context> Context::server(const ContextOptions& options, std::string* problem) {
  return make(options, true, problem);
}

Result<Context> Context::make(const ContextOptions& options, bool is_server, std::string* problem) {
  ERR_clear_error();
  Context made;
  made.context_.reset(SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method()), SSL_CTX_free);
  SSL_CTX* const context = made.context_.get();
  if (!context) return failure(ENOMEM, "tls");
  made.is_server_ = is_server;
  const bool by_default = !is_server;
  made.verifies_ =
      options.peer == PeerCertificate::Required || (options.peer == PeerCertificate::Default && by_default);
  SSL_CTX_set_min_proto_version(context, options.minimum == Version::Tls13 ? TLS1_3_VERSION : TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);  // an idle connection pins none
  const int verify =
      !made.verifies_ ? SSL_VERIFY_NONE : SSL_VERIFY_PEER | (is_server ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0);
  SSL_CTX_set_verify(context, verify, nullptr);

  const char* wrong = nullptr;
  if (is_server || !options.certificate_chain.empty()) wrong = use_identity(context, options);
  if (!wrong && made.verifies_) wrong = trust(context, options.authorities);
  if (wrong) {
    if (problem) *problem = ERR_peek_last_error() ? std::string(wrong) + ": " + last_reason() : wrong;
    ERR_clear_error();
    return failure(EINVAL, "tls");
  }

  made.protocols_ = std::make_shared<const std::string>(wire_format(options.protocols));
  if (!made.protocols_->empty()) {
    const std::string& wire = *made.protocols_;
    if (is_server) {
      SSL_CTX_set_alpn_select_cb(context, select_protocol, const_cast<std::string*>(&wire));
    } else {
      SSL_CTX_set_alpn_protos(context, reinterpret_cast<const unsigned char*>(wire.data()),
                              static_cast<unsigned>(wire.size()));
    }
  }
  return made;
}

}  // namespace rondo::tls
