// native('tls'), what a connection has come to: its cipher, its peer's certificate, its session.
#include "modules/tls/session.h"

#include "engine/core/buffer_class.h"
#include "modules/crypto/certificate_object.h"

#include <memory>
#include <new>

namespace rondo::modules::tls {

using namespace engine;
using runtime::method;

namespace {

// A method that asks OpenSSL: undefined for a session that was destroyed.
template <Value (*kQuery)(Call&, SSL*)>
Value query(Call& call, Session& session) {
  return session.ssl() ? kQuery(call, session.ssl()) : call.undefined();
}

Value bytes_value(Call& call, const unsigned char* bytes, size_t size) {
  return call.value(make_buffer(call.realm(), {bytes, size}));
}

X509Ptr peer_of(SSL* ssl) { return X509Ptr(SSL_get1_peer_certificate(ssl)); }

X509Ptr issuer_from_store(SSL* ssl, X509* certificate) {
  Owned<X509_STORE_CTX, X509_STORE_CTX_free> search(X509_STORE_CTX_new());
  X509* found = nullptr;
  X509_STORE* store = SSL_CTX_get_cert_store(SSL_get_SSL_CTX(ssl));
  if (X509_STORE_CTX_init(search.get(), store, nullptr, nullptr) == 1 &&
      X509_STORE_CTX_get1_issuer(&found, search.get(), certificate) == 1)
    return X509Ptr(found);
  return nullptr;
}

bool is_issuer(X509* issuer, X509* certificate) { return X509_check_issued(issuer, certificate) == X509_V_OK; }

// Each certificate's object knows its issuer's; a self-signed one is its own. First what the peer sent, then what the store knows.
JSC::JSObject* chain_object(JSC::JSGlobalObject* realm, SSL* ssl, X509Ptr leaf) {
  std::vector<X509Ptr> sent;
  STACK_OF(X509)* chain = SSL_get_peer_cert_chain(ssl);
  for (int i = 0; chain && i < sk_X509_num(chain); i++) {
    X509* one = sk_X509_value(chain, i);
    if (X509_cmp(one, leaf.get()) == 0) continue;
    X509_up_ref(one);
    sent.emplace_back(one);
  }
  auto* first = certificate_object(realm, leaf.get());
  auto* last = first;
  X509Ptr current = std::move(leaf);
  auto link = [&](X509Ptr issuer) {
    auto* object = certificate_object(realm, issuer.get());
    put(realm, last, "issuerCertificate", object);
    last = object;
    current = std::move(issuer);
  };
  for (bool found = true; found && !is_issuer(current.get(), current.get());) {
    found = false;
    for (auto it = sent.begin(); it != sent.end(); ++it) {
      if (!is_issuer(it->get(), current.get())) continue;
      X509Ptr issuer = std::move(*it);
      sent.erase(it);
      link(std::move(issuer));
      found = true;
      break;
    }
  }
  while (!is_issuer(current.get(), current.get())) {
    auto issuer = issuer_from_store(ssl, current.get());
    if (!issuer || X509_cmp(issuer.get(), current.get()) == 0) break;
    link(std::move(issuer));
  }
  if (is_issuer(current.get(), current.get())) put(realm, last, "issuerCertificate", last);
  return first;
}

// peerCertificate(detailed) → object or undefined
Value peer_certificate(Call& call, SSL* ssl) {
  OpensslScope scope;
  auto peer = peer_of(ssl);
  if (!peer) return call.undefined();
  if (!call.boolean(0)) return call.value(certificate_object(call.realm(), peer.get()));
  return call.value(chain_object(call.realm(), ssl, std::move(peer)));
}

Value own_certificate(Call& call, SSL* ssl) {
  OpensslScope scope;
  X509* own = SSL_get_certificate(ssl);
  return own ? call.value(certificate_object(call.realm(), own)) : call.undefined();
}

// peerCertificateBytes(), ownCertificateBytes() → DER or undefined
Value peer_certificate_bytes(Call& call, SSL* ssl) {
  auto peer = peer_of(ssl);
  return peer ? call.value(make_buffer(call.realm(), der_of(peer.get()))) : call.undefined();
}
Value own_certificate_bytes(Call& call, SSL* ssl) {
  X509* own = SSL_get_certificate(ssl);
  return own ? call.value(make_buffer(call.realm(), der_of(own))) : call.undefined();
}

const char* verify_code(long result) {
  switch (result) {
#define NAME(name)        \
  case X509_V_ERR_##name: \
    return #name;
    NAME(UNABLE_TO_GET_ISSUER_CERT)
    NAME(UNABLE_TO_GET_CRL)
    NAME(UNABLE_TO_DECRYPT_CERT_SIGNATURE)
    NAME(UNABLE_TO_DECRYPT_CRL_SIGNATURE)
    NAME(UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY)
    NAME(CERT_SIGNATURE_FAILURE)
    NAME(CRL_SIGNATURE_FAILURE)
    NAME(CERT_NOT_YET_VALID)
    NAME(CERT_HAS_EXPIRED)
    NAME(CRL_NOT_YET_VALID)
    NAME(CRL_HAS_EXPIRED)
    NAME(ERROR_IN_CERT_NOT_BEFORE_FIELD)
    NAME(ERROR_IN_CERT_NOT_AFTER_FIELD)
    NAME(ERROR_IN_CRL_LAST_UPDATE_FIELD)
    NAME(ERROR_IN_CRL_NEXT_UPDATE_FIELD)
    NAME(OUT_OF_MEM)
    NAME(DEPTH_ZERO_SELF_SIGNED_CERT)
    NAME(SELF_SIGNED_CERT_IN_CHAIN)
    NAME(UNABLE_TO_GET_ISSUER_CERT_LOCALLY)
    NAME(UNABLE_TO_VERIFY_LEAF_SIGNATURE)
    NAME(CERT_CHAIN_TOO_LONG)
    NAME(CERT_REVOKED)
    NAME(INVALID_CA)
    NAME(PATH_LENGTH_EXCEEDED)
    NAME(INVALID_PURPOSE)
    NAME(CERT_UNTRUSTED)
    NAME(CERT_REJECTED)
    NAME(HOSTNAME_MISMATCH)
#undef NAME
    default:
      return "UNSPECIFIED";
  }
}

// No certificate at all is fine where a key known to both, or a session that had one, stands in its place.
long verify_result(SSL* ssl) {
  if (peer_of(ssl)) return SSL_get_verify_result(ssl);
  const SSL_CIPHER* cipher = SSL_get_current_cipher(ssl);
  const SSL_SESSION* session = SSL_get_session(ssl);
  if (cipher && SSL_CIPHER_get_auth_nid(cipher) == NID_auth_psk) return X509_V_OK;
  if (session && SSL_SESSION_get_protocol_version(session) == TLS1_3_VERSION && SSL_session_reused(ssl))
    return X509_V_OK;
  return X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT;
}

// verifyError() → Error with a code, or null
Value verify_error(Call& call, Session& session) {
  SSL* ssl = session.ssl();
  const long result = ssl ? verify_result(ssl) : X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT;
  if (result == X509_V_OK) return JSC::jsNull();
  auto* realm = call.realm();
  auto* error = JSC::createError(realm, to_wtf(X509_verify_cert_error_string(result)));
  put(realm, error, "code", call.text(verify_code(result)));
  return call.value(error);
}

// cipher() → [name, standard name, version] or undefined
Value cipher(Call& call, SSL* ssl) {
  const SSL_CIPHER* current = SSL_get_current_cipher(ssl);
  if (!current) return call.undefined();
  std::vector<std::string> parts{SSL_CIPHER_get_name(current), SSL_CIPHER_standard_name(current),
                                 SSL_CIPHER_get_version(current)};
  return call.value(make_array(call.realm(), parts));
}

Value protocol(Call& call, SSL* ssl) { return call.text(SSL_get_version(ssl)); }

// ephemeralKey() → [type, name or undefined, size], [] when there is none, null on the server's side
Value ephemeral_key(Call& call, SSL* ssl) {
  if (SSL_is_server(ssl)) return JSC::jsNull();
  JSC::MarkedArgumentBuffer parts;
  EVP_PKEY* raw = nullptr;
  if (SSL_get_peer_tmp_key(ssl, &raw) == 1) {
    PkeyPtr key(raw);
    const int id = EVP_PKEY_get_base_id(raw);
    if (id == EVP_PKEY_DH) {
      parts.append(call.text("DH"));
      parts.append(JSC::jsUndefined());
    } else {
      char name[80] = "";
      if (id == EVP_PKEY_EC) EVP_PKEY_get_group_name(raw, name, sizeof(name), nullptr);
      parts.append(call.text("ECDH"));
      parts.append(call.text(id == EVP_PKEY_EC ? name : OBJ_nid2sn(id)));
    }
    parts.append(JSC::jsNumber(EVP_PKEY_get_bits(raw)));
  }
  return call.value(make_array(call.realm(), parts));
}

std::string signature_name(int sign, int hash) {
  std::string name;
  switch (sign) {
    case EVP_PKEY_RSA:
      name = "RSA";
      break;
    case EVP_PKEY_RSA_PSS:
      name = "RSA-PSS";
      break;
    case EVP_PKEY_DSA:
      name = "DSA";
      break;
    case EVP_PKEY_EC:
      name = "ECDSA";
      break;
    case NID_ED25519:
      return "Ed25519+UNDEF";
    case NID_ED448:
      return "Ed448+UNDEF";
    default: {
      const char* known = OBJ_nid2sn(sign);
      name = known ? known : "UNDEF";
    }
  }
  const char* digest = hash == NID_undef ? nullptr : OBJ_nid2sn(hash);
  return name + "+" + (digest ? digest : "UNDEF");
}

Value shared_signature_algorithms(Call& call, SSL* ssl) {
  std::vector<std::string> names;
  const int count = SSL_get_shared_sigalgs(ssl, 0, nullptr, nullptr, nullptr, nullptr, nullptr);
  for (int i = 0; i < count; i++) {
    int sign = 0, hash = 0;
    SSL_get_shared_sigalgs(ssl, i, &sign, &hash, nullptr, nullptr, nullptr);
    names.push_back(signature_name(sign, hash));
  }
  return call.value(make_array(call.realm(), names));
}

using Finished = size_t (*)(const SSL*, void*, size_t);
Value finished_message(Call& call, SSL* ssl, Finished get) {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  const size_t size = get(ssl, bytes, sizeof(bytes));
  return size ? bytes_value(call, bytes, std::min(size, sizeof(bytes))) : call.undefined();
}
Value finished(Call& call, SSL* ssl) { return finished_message(call, ssl, SSL_get_finished); }
Value peer_finished(Call& call, SSL* ssl) { return finished_message(call, ssl, SSL_get_peer_finished); }

Value session_bytes(Call& call, SSL* ssl) {
  SSL_SESSION* session = SSL_get_session(ssl);
  if (!session) return call.undefined();
  unsigned char* bytes = nullptr;
  const int size = i2d_SSL_SESSION(session, &bytes);
  OpensslBytes owner(bytes);
  return size > 0 ? bytes_value(call, bytes, static_cast<size_t>(size)) : call.undefined();
}

Value ticket(Call& call, SSL* ssl) {
  SSL_SESSION* session = SSL_get_session(ssl);
  const unsigned char* bytes = nullptr;
  size_t size = 0;
  if (session) SSL_SESSION_get0_ticket(session, &bytes, &size);
  return bytes ? bytes_value(call, bytes, size) : call.undefined();
}

Value is_session_reused(Call& call, SSL* ssl) { return call.value(SSL_session_reused(ssl) == 1); }

// alpn() → the protocol, or false
Value alpn(Call& call, SSL* ssl) {
  const unsigned char* bytes = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl, &bytes, &size);
  if (!bytes) return call.value(false);
  return call.text({reinterpret_cast<const char*>(bytes), size});
}

// servername() → what the client named, or false
Value servername(Call& call, Session& session) {
  if (!session.servername.empty()) return call.text(session.servername);
  SSL* ssl = session.ssl();
  const char* name = ssl ? SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) : nullptr;
  return name ? call.text(name) : call.value(false);
}

// exportKeyingMaterial(length, label, context or undefined)
Value export_keying_material(Call& call, SSL* ssl) {
  OpensslScope scope;
  const size_t size = call.uint32(0);
  std::unique_ptr<uint8_t[]> out(new (std::nothrow) uint8_t[size]);
  if (!out) return call.error("not enough memory");
  auto label = call.string(1);
  auto context = call.bytes(2);
  if (SSL_export_keying_material(ssl, out.get(), size, label.data(), label.size(), context.data(), context.size(),
                                 call.has(2) ? 1 : 0) != 1)
    return raise_openssl(call, "SSL_export_keying_material");
  return bytes_value(call, out.get(), size);
}

constexpr FunctionSpec kMethods[] = {
    {"peerCertificate", method<Session, query<peer_certificate>>, 1},
    {"ownCertificate", method<Session, query<own_certificate>>, 0},
    {"peerCertificateBytes", method<Session, query<peer_certificate_bytes>>, 0},
    {"ownCertificateBytes", method<Session, query<own_certificate_bytes>>, 0},
    {"verifyError", method<Session, verify_error>, 0},
    {"cipher", method<Session, query<cipher>>, 0},
    {"protocol", method<Session, query<protocol>>, 0},
    {"ephemeralKey", method<Session, query<ephemeral_key>>, 0},
    {"sharedSignatureAlgorithms", method<Session, query<shared_signature_algorithms>>, 0},
    {"finished", method<Session, query<finished>>, 0},
    {"peerFinished", method<Session, query<peer_finished>>, 0},
    {"sessionBytes", method<Session, query<session_bytes>>, 0},
    {"ticket", method<Session, query<ticket>>, 0},
    {"isSessionReused", method<Session, query<is_session_reused>>, 0},
    {"alpn", method<Session, query<alpn>>, 0},
    {"servername", method<Session, servername>, 0},
    {"exportKeyingMaterial", method<Session, query<export_keying_material>>, 3}};

}  // namespace

const std::span<const FunctionSpec> kInfoMethods = kMethods;

}  // namespace rondo::modules::tls
