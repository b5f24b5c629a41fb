// See context.h.
#include "modules/tls/context.h"

#include "rondo/system.h"

#include <openssl/hmac.h>

#include <cstring>

namespace rondo::modules::tls {

using namespace engine;
using runtime::Runtime;

namespace {

void free_ticket_keys(void*, void* keys, CRYPTO_EX_DATA*, int, long, void*) { delete static_cast<TicketKeys*>(keys); }

int ticket_keys_index() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, free_ticket_keys);
  return index;
}

bool start_mac(EVP_MAC_CTX* mac, const uint8_t* key) {
  char digest[] = "SHA256";
  OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, const_cast<uint8_t*>(key), 16),
                         OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                         OSSL_PARAM_construct_end()};
  return EVP_MAC_CTX_set_params(mac, params) == 1;
}

// Tickets as programs know them from Node: AES-128-CBC and HMAC-SHA256 under 48 bytes of keys, which they may share and change.
int on_ticket(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac, int is_new) {
  auto* keys = static_cast<TicketKeys*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), ticket_keys_index()));
  const uint8_t *mac_key = keys->data() + 16, *cipher_key = keys->data() + 32;
  if (is_new) {
    std::memcpy(name, keys->data(), 16);
    fill_random(std::as_writable_bytes(std::span(iv, 16)));
    const bool made =
        EVP_EncryptInit_ex(cipher, EVP_aes_128_cbc(), nullptr, cipher_key, iv) == 1 && start_mac(mac, mac_key);
    return made ? 1 : -1;
  }
  if (std::memcmp(name, keys->data(), 16) != 0) return 0;  // made under other keys: a full handshake follows
  const bool opened =
      EVP_DecryptInit_ex(cipher, EVP_aes_128_cbc(), nullptr, cipher_key, iv) == 1 && start_mac(mac, mac_key);
  return opened ? 1 : -1;
}

int no_password(char*, int, int, void*) { return 0; }

}  // namespace

SecureContext::SecureContext(SslContextPtr context) : context_(std::move(context)) {
  auto* keys = new TicketKeys;
  fill_random(std::as_writable_bytes(std::span(*keys)));
  SSL_CTX_set_ex_data(get(), ticket_keys_index(), keys);
  SSL_CTX_set_tlsext_ticket_key_evp_cb(get(), on_ticket);
}

TicketKeys& SecureContext::ticket_keys() const {
  return *static_cast<TicketKeys*>(SSL_CTX_get_ex_data(get(), ticket_keys_index()));
}

bool SecureContext::use_chain(X509Ptr leaf, STACK_OF(X509) * others) {
  if (SSL_CTX_use_certificate(get(), leaf.get()) != 1) return false;
  SSL_CTX_clear_extra_chain_certs(get());
  issuer_.reset();
  for (int i = 0; i < sk_X509_num(others); i++) {
    X509* other = sk_X509_value(others, i);
    if (SSL_CTX_add1_chain_cert(get(), other) != 1) return false;
    if (!issuer_ && X509_check_issued(other, leaf.get()) == X509_V_OK) issuer_.reset(X509_dup(other));
  }
  certificate_ = std::move(leaf);
  return true;
}

bool SecureContext::use_pem_chain(std::span<const uint8_t> pem) {
  auto bio = bio_on(pem);
  X509Ptr leaf(PEM_read_bio_X509_AUX(bio.get(), nullptr, no_password, nullptr));
  if (!leaf) return false;
  X509StackPtr others(sk_X509_new_null());
  while (X509* other = PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr)) sk_X509_push(others.get(), other);
  const auto last = ERR_peek_last_error();
  if (ERR_GET_LIB(last) != ERR_LIB_PEM || ERR_GET_REASON(last) != PEM_R_NO_START_LINE) return false;
  ERR_clear_error();
  return use_chain(std::move(leaf), others.get());
}

void SecureContext::add_authorities(Runtime& runtime, std::span<const uint8_t> pem) {
  X509_STORE* store = own_store(runtime);
  for (const auto& certificate : certificates_in(pem)) {
    X509_STORE_add_cert(store, certificate.get());
    SSL_CTX_add_client_CA(get(), certificate.get());
  }
  ERR_clear_error();
}

void SecureContext::load_roots(Runtime& runtime) {
  if (!wants_roots_) return;
  wants_roots_ = false;
  has_own_store_ = false;
  SSL_CTX_set1_cert_store(get(), runtime.local<Roots>().store());
}

X509_STORE* SecureContext::own_store(Runtime& runtime) {
  load_roots(runtime);
  if (!has_own_store_) SSL_CTX_set_cert_store(get(), runtime.local<Roots>().new_store().release());
  has_own_store_ = true;
  return SSL_CTX_get_cert_store(get());
}

X509* SecureContext::issuer(Runtime& runtime) {
  if (issuer_ || !certificate_) return issuer_.get();
  load_roots(runtime);
  Owned<X509_STORE_CTX, X509_STORE_CTX_free> search(X509_STORE_CTX_new());
  X509* found = nullptr;
  if (X509_STORE_CTX_init(search.get(), SSL_CTX_get_cert_store(get()), nullptr, nullptr) == 1 &&
      X509_STORE_CTX_get1_issuer(&found, search.get(), certificate_.get()) == 1)
    issuer_.reset(found);
  ERR_clear_error();
  return issuer_.get();
}

SecureContext* context_in(Value value) { return native_of<SecureContext>(value); }

std::string bytes_or_text(const Call& call, unsigned index) {
  if (call.at(index).isString()) return call.string(index);
  auto bytes = call.bytes(index);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Roots::Certificates certificates_in(std::span<const uint8_t> pem) {
  Roots::Certificates found;
  auto bio = bio_on(pem);
  while (X509* one = PEM_read_bio_X509_AUX(bio.get(), nullptr, no_password, nullptr)) found.emplace_back(one);
  return found;
}

}  // namespace rondo::modules::tls
