// tls.createSecureContext's options, one native each. lib/internal/tls/secure_context.js has checked their types.
#include "modules/tls/session.h"

#include "engine/core/buffer_class.h"
#include "modules/crypto/certificate_object.h"
#include "modules/crypto/pkcs12.h"
#include "runtime/native_class.h"

#include <cstring>

namespace rondo::modules::tls {

using namespace engine;
using runtime::make_instance;
using runtime::method;
using runtime::Runtime;

namespace {

Value raise_failed(Call& call, ASCIILiteral code, const char* message) {
  return raise_with_code(call.realm(), JSC::ErrorType::Error, code, to_wtf(message));
}

Value set_options(Call& call, SecureContext& self) {
  SSL_CTX_set_options(self.get(), static_cast<uint64_t>(call.int64(0)));
  return call.undefined();
}

// setVersions(lowest or undefined, highest or undefined); versions() → [lowest, highest]
Value set_versions(Call& call, SecureContext& self) {
  auto* context = self.get();
  if (call.has(0)) SSL_CTX_set_min_proto_version(context, call.int32(0));
  if (call.has(1)) SSL_CTX_set_max_proto_version(context, call.int32(1));
  return call.undefined();
}
Value versions(Call& call, SecureContext& self) {
  auto* context = self.get();
  JSC::MarkedArgumentBuffer both;
  both.append(JSC::jsNumber(SSL_CTX_get_min_proto_version(context)));
  both.append(JSC::jsNumber(SSL_CTX_get_max_proto_version(context)));
  return call.value(make_array(call.realm(), both));
}

Value set_cipher_suites(Call& call, SecureContext& self) {
  OpensslScope scope;
  auto* context = self.get();
  if (SSL_CTX_set_ciphersuites(context, call.string(0).c_str()) == 1) return call.undefined();
  return raise_openssl(call, "Failed to set ciphers");
}

Value set_ciphers(Call& call, SecureContext& self) {
  OpensslScope scope;
  auto* context = self.get();
  auto list = call.string(0);
  if (SSL_CTX_set_cipher_list(context, list.c_str()) == 1) return call.undefined();
  // None at all below TLS 1.3 was asked for: no error.
  if (list.empty() && ERR_GET_REASON(ERR_peek_error()) == SSL_R_NO_CIPHER_MATCH) return call.undefined();
  return raise_openssl(call, "Failed to set ciphers");
}

Value set_signature_algorithms(Call& call, SecureContext& self) {
  OpensslScope scope;
  auto* context = self.get();
  if (SSL_CTX_set1_sigalgs_list(context, call.string(0).c_str()) == 1) return call.undefined();
  return raise_openssl(call);
}

Value set_curves(Call& call, SecureContext& self) {
  OpensslScope scope;
  auto* context = self.get();
  if (SSL_CTX_set1_groups_list(context, call.string(0).c_str()) == 1) return call.undefined();
  return raise_failed(call, "ERR_CRYPTO_OPERATION_FAILED"_s, "Failed to set ECDH curve");
}

// setDhParameters(true or PEM) → a warning, or undefined. Text that holds no parameters is passed over, as in Node.
Value set_dh_parameters(Call& call, SecureContext& self) {
  OpensslScope scope;
  auto* context = self.get();
  if (call.boolean(0)) {
    SSL_CTX_set_dh_auto(context, 1);
    return call.undefined();
  }
  auto text = bytes_or_text(call, 0);
  auto bio = bio_on(as_bytes(text));
  PkeyPtr parameters(PEM_read_bio_Parameters(bio.get(), nullptr));
  if (!parameters || EVP_PKEY_get_base_id(parameters.get()) != EVP_PKEY_DH) return call.undefined();
  const int bits = EVP_PKEY_get_bits(parameters.get());
  if (bits < 1024)
    return raise_with_code(call.realm(), JSC::ErrorType::TypeError, "ERR_INVALID_ARG_VALUE"_s,
                           to_wtf("DH parameter is less than 1024 bits"));
  if (SSL_CTX_set0_tmp_dh_pkey(context, parameters.get()) != 1)
    return raise_failed(call, "ERR_CRYPTO_OPERATION_FAILED"_s, "Error setting temp DH parameter");
  (void)parameters.release();
  return bits < 2048 ? call.text("DH parameter is less than 2048 bits") : call.undefined();
}

int give_passphrase(char* target, int size, int, void* data) {
  const auto& passphrase = *static_cast<const std::string*>(data);
  if (passphrase.size() > static_cast<size_t>(size)) return -1;
  std::memcpy(target, passphrase.data(), passphrase.size());
  return static_cast<int>(passphrase.size());
}

// setKey(PEM, passphrase or undefined)
Value set_key(Call& call, SecureContext& self) {
  OpensslScope scope;
  auto* context = self.get();
  auto text = bytes_or_text(call, 0);
  auto passphrase = call.string(1);
  auto bio = bio_on(as_bytes(text));
  PkeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase, &passphrase));
  if (!key) return raise_openssl(call, "PEM_read_bio_PrivateKey");
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) return raise_openssl(call, "SSL_CTX_use_PrivateKey");
  return call.undefined();
}

Value set_certificate(Call& call, SecureContext& context) {
  OpensslScope scope;
  if (context.use_pem_chain(as_bytes(bytes_or_text(call, 0)))) return call.undefined();
  return raise_openssl(call, "SSL_CTX_use_certificate_chain");
}

Value add_authority(Call& call, SecureContext& context) {
  OpensslScope scope;
  context.add_authorities(Runtime::from(call.realm()), as_bytes(bytes_or_text(call, 0)));
  return call.undefined();
}

Value want_roots(Call& call, SecureContext& context) {
  context.want_roots();
  return call.undefined();
}

Value allow_partial_chain(Call& call, SecureContext& context) {
  X509_STORE_set_flags(context.own_store(Runtime::from(call.realm())), X509_V_FLAG_PARTIAL_CHAIN);
  return call.undefined();
}

Value add_revocations(Call& call, SecureContext& context) {
  OpensslScope scope;
  auto text = bytes_or_text(call, 0);
  auto bio = bio_on(as_bytes(text));
  X509CrlPtr list(PEM_read_bio_X509_CRL(bio.get(), nullptr, nullptr, nullptr));
  if (!list) return raise_failed(call, "ERR_CRYPTO_OPERATION_FAILED"_s, "Failed to parse CRL");
  X509_STORE* store = context.own_store(Runtime::from(call.realm()));
  X509_STORE_add_crl(store, list.get());
  X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
  return call.undefined();
}

Value set_session_id_context(Call& call, SecureContext& self) {
  OpensslScope scope;
  auto* context = self.get();
  auto text = call.string(0);
  if (SSL_CTX_set_session_id_context(context, reinterpret_cast<const unsigned char*>(text.data()),
                                     static_cast<unsigned>(text.size())) == 1)
    return call.undefined();
  const char* reason = ERR_reason_error_string(ERR_peek_error());
  return raise_failed(call, "ERR_CRYPTO_OPERATION_FAILED"_s, reason ? reason : "SSL_CTX_set_session_id_context error");
}

Value set_session_timeout(Call& call, SecureContext& self) {
  SSL_CTX_set_timeout(self.get(), call.int32(0));
  return call.undefined();
}

Value set_ticket_keys(Call& call, SecureContext& context) {
  auto bytes = call.bytes(0);
  if (bytes.size() == context.ticket_keys().size())
    std::copy(bytes.begin(), bytes.end(), context.ticket_keys().begin());
  return call.undefined();
}
Value ticket_keys(Call& call, SecureContext& context) {
  return call.value(make_buffer(call.realm(), context.ticket_keys()));
}

Value raise_pkcs12(Call& call) {
  const auto error = ERR_peek_error();
  if (ERR_GET_REASON(error) == ERR_R_UNSUPPORTED)
    return raise_failed(call, "ERR_CRYPTO_UNSUPPORTED_OPERATION"_s, "Unsupported PKCS12 PFX data");
  const char* reason = ERR_reason_error_string(error);
  return call.error(reason ? reason : "Unknown error");
}

// loadPkcs12(bytes, passphrase or undefined)
Value load_pkcs12(Call& call, SecureContext& context) {
  OpensslScope scope;
  Pkcs12Parts parts(call.bytes(0), bytes_or_text(call, 1).c_str());
  if (!parts.is_open) return raise_pkcs12(call);
  if (!parts.key)
    return raise_failed(call, "ERR_CRYPTO_OPERATION_FAILED"_s, "Unable to load private key from PFX data");
  if (!parts.certificate)
    return raise_failed(call, "ERR_CRYPTO_OPERATION_FAILED"_s, "Unable to load certificate from PFX data");
  auto* others = parts.others.get();
  if (!context.use_chain(std::move(parts.certificate), others) ||
      SSL_CTX_use_PrivateKey(context.get(), parts.key.get()) != 1)
    return raise_pkcs12(call);
  for (int i = 0; i < sk_X509_num(others); i++) {
    X509_STORE_add_cert(context.own_store(Runtime::from(call.realm())), sk_X509_value(others, i));
    SSL_CTX_add_client_CA(context.get(), sk_X509_value(others, i));
  }
  return call.undefined();
}

// certificate(), issuer() → DER, or null
Value certificate(Call& call, SecureContext& context) {
  if (!context.certificate()) return JSC::jsNull();
  return call.value(make_buffer(call.realm(), der_of(context.certificate())));
}
Value issuer(Call& call, SecureContext& context) {
  OpensslScope scope;
  X509* found = context.issuer(Runtime::from(call.realm()));
  return found ? call.value(make_buffer(call.realm(), der_of(found))) : JSC::jsNull();
}

// cipherNames() → what this OpenSSL can do, by OpenSSL's names
Value cipher_names(Call& call) {
  OpensslScope scope;
  SslContextPtr context(SSL_CTX_new(TLS_method()));
  SslPtr ssl(context ? SSL_new(context.get()) : nullptr);
  if (!ssl) return raise_openssl(call, "SSL_new");
  std::vector<std::string> names;
  STACK_OF(SSL_CIPHER)* ciphers = SSL_get_ciphers(ssl.get());
  for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); i++)
    names.emplace_back(SSL_CIPHER_get_name(sk_SSL_CIPHER_value(ciphers, i)));
  return call.value(make_array(call.realm(), names));
}

constexpr FunctionSpec kMethods[] = {{"setCertificate", method<SecureContext, set_certificate>, 1},
                                     {"addAuthority", method<SecureContext, add_authority>, 1},
                                     {"wantRoots", method<SecureContext, want_roots>, 0},
                                     {"allowPartialChain", method<SecureContext, allow_partial_chain>, 0},
                                     {"addRevocations", method<SecureContext, add_revocations>, 1},
                                     {"setTicketKeys", method<SecureContext, set_ticket_keys>, 1},
                                     {"ticketKeys", method<SecureContext, ticket_keys>, 0},
                                     {"loadPkcs12", method<SecureContext, load_pkcs12>, 2},
                                     {"certificate", method<SecureContext, certificate>, 0},
                                     {"issuer", method<SecureContext, issuer>, 0},
                                     {"setOptions", method<SecureContext, set_options>, 1},
                                     {"setVersions", method<SecureContext, set_versions>, 2},
                                     {"versions", method<SecureContext, versions>, 0},
                                     {"setCipherSuites", method<SecureContext, set_cipher_suites>, 1},
                                     {"setCiphers", method<SecureContext, set_ciphers>, 1},
                                     {"setSignatureAlgorithms", method<SecureContext, set_signature_algorithms>, 1},
                                     {"setCurves", method<SecureContext, set_curves>, 1},
                                     {"setDhParameters", method<SecureContext, set_dh_parameters>, 1},
                                     {"setKey", method<SecureContext, set_key>, 2},
                                     {"setSessionIdContext", method<SecureContext, set_session_id_context>, 1},
                                     {"setSessionTimeout", method<SecureContext, set_session_timeout>, 1}};

enum class Role : uint8_t { Both, Server, Client };

// newContext(role, lowest version, highest version): 0 is any.
Value new_context(Call& call) {
  OpensslScope scope;
  const auto role = static_cast<Role>(call.int32(0));
  const SSL_METHOD* method = role == Role::Server   ? TLS_server_method()
                             : role == Role::Client ? TLS_client_method()
                                                    : TLS_method();
  SslContextPtr context(SSL_CTX_new(method));
  if (!context) return raise_openssl(call, "SSL_CTX_new");
  SSL_CTX_set_options(context.get(), SSL_OP_NO_SSLv2 | SSL_OP_NO_SSLv3 | SSL_OP_ALLOW_CLIENT_RENEGOTIATION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_clear_mode(context.get(), SSL_MODE_NO_AUTO_CHAIN | SSL_MODE_AUTO_RETRY);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_SERVER |
                                                    SSL_SESS_CACHE_NO_INTERNAL | SSL_SESS_CACHE_NO_AUTO_CLEAR);
  SSL_CTX_set_min_proto_version(context.get(), call.int32(1));
  SSL_CTX_set_max_proto_version(context.get(), call.int32(2));
  install_callbacks(context.get());
  return make_instance(Runtime::from(call.realm()), std::make_unique<SecureContext>(std::move(context)), kMethods);
}

constexpr FunctionSpec kFunctions[] = {{"newContext", native<new_context>, 3},
                                       {"cipherNames", native<cipher_names>, 0}};

}  // namespace

const std::span<const FunctionSpec> kContextFunctions = kFunctions;

}  // namespace rondo::modules::tls
