// See key_store.h.
#include "modules/crypto/key_store.h"

#include <openssl/store.h>
#include <openssl/ui.h>

namespace rondo::modules::crypto {

namespace {

using StorePtr = Owned<OSSL_STORE_CTX, OSSL_STORE_close>;
using InfoPtr = Owned<OSSL_STORE_INFO, OSSL_STORE_INFO_free>;
using MethodPtr = Owned<UI_METHOD, UI_destroy_method>;

PkeyPtr next_key(OSSL_STORE_CTX* store) {
  const InfoPtr info(OSSL_STORE_load(store));
  const bool is_key = info && OSSL_STORE_INFO_get_type(info.get()) == OSSL_STORE_INFO_PKEY;
  return PkeyPtr(is_key ? OSSL_STORE_INFO_get1_PKEY(info.get()) : nullptr);
}

}  // namespace

PkeyPtr key_from_store(const std::string& uri, const std::string& properties, Passphrase& phrase) {
  const MethodPtr asks(UI_UTIL_wrap_read_pem_callback(give_passphrase, 0));
  const char* query = properties.empty() ? nullptr : properties.c_str();
  const StorePtr store(OSSL_STORE_open_ex(uri.c_str(), nullptr, query, asks.get(), &phrase, nullptr, nullptr, nullptr));
  if (!store || !OSSL_STORE_expect(store.get(), OSSL_STORE_INFO_PKEY)) return nullptr;
  while (!OSSL_STORE_eof(store.get())) {
    if (auto key = next_key(store.get())) {
      ERR_clear_error();  // decoders that did not know the text leave theirs
      return key;
    }
    if (OSSL_STORE_error(store.get())) return nullptr;
  }
  if (!phrase.was_asked) ERR_clear_error();
  return nullptr;
}

}  // namespace rondo::modules::crypto
