// native('crypto_mac'): message authentication codes, whichever OpenSSL has. A running one is a native object.
#include "modules/crypto/work.h"
#include "runtime/native_class.h"

#include <openssl/proverr.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace rondo::modules {

using namespace crypto;
using runtime::method;

namespace {

struct Mac {
  MacContextPtr context;  // none once it is finished
};

Value raise_mac(Call& call, const char* otherwise) {
  if (ERR_peek_error()) return raise_openssl(call);
  return raise_with_code(call.realm(), JSC::ErrorType::Error, "ERR_CRYPTO_OPERATION_FAILED"_s,
                         WTF::String::fromUTF8(otherwise));
}

// OpenSSL 3.0 takes a cipher of any mode for CMAC and makes nonsense of it; later ones refuse it with this error.
bool has_wrong_mode(const EVP_MAC* kind, const std::string& cipher) {
  if (!EVP_MAC_is_a(kind, "CMAC")) return false;
  CipherPtr found(EVP_CIPHER_fetch(nullptr, cipher.c_str(), nullptr));
  if (!found || EVP_CIPHER_get_mode(found.get()) == EVP_CIPH_CBC_MODE) return false;
  ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_MODE);
  return true;
}

// size() → bytes of its result
Value size(Call& call, Mac& mac) {
  return call.value(mac.context ? static_cast<double>(EVP_MAC_CTX_get_mac_size(mac.context.get())) : 0.0);
}

// update(string or bytes)
Value update(Call& call, Mac& mac) {
  OpensslScope scope;
  if (!mac.context) return call.undefined();
  Input input(call, 0);
  if (EVP_MAC_update(mac.context.get(), input.data(), input.size()) != 1) return raise_mac(call, "MAC update failed");
  return call.undefined();
}

// finish() → Buffer; the mac is over.
Value finish(Call& call, Mac& mac) {
  OpensslScope scope;
  if (!mac.context) return call.undefined();
  const MacContextPtr context = std::move(mac.context);
  Bytes out(EVP_MAC_CTX_get_mac_size(context.get()));
  size_t written = 0;
  if (!out.empty() && EVP_MAC_final(context.get(), out.data(), &written, out.size()) != 1)
    return raise_mac(call, "MAC finalization failed");
  return make_buffer(call.realm(), out);
}

constexpr FunctionSpec kMethods[] = {
    {"size", method<Mac, size>, 0}, {"update", method<Mac, update>, 1}, {"finish", method<Mac, finish>, 0}};

// newMac(name, key, digest, cipher, iv, customization, salt, outputLength) → mac, or 0 when there is none of that name. What is undefined is not
// told to OpenSSL.
Value new_mac(Call& call) {
  OpensslScope scope;
  const std::string name = call.string(0);
  MacPtr kind(EVP_MAC_fetch(nullptr, name.c_str(), nullptr));
  if (!kind) return call.value(0);
  Mac made{MacContextPtr(EVP_MAC_CTX_new(kind.get()))};

  constexpr std::array kParameters = {OSSL_MAC_PARAM_DIGEST, OSSL_MAC_PARAM_CIPHER, OSSL_MAC_PARAM_IV,
                                      OSSL_MAC_PARAM_CUSTOM, OSSL_MAC_PARAM_SALT};
  constexpr size_t kTexts = 2;  // the first of them
  std::array<Bytes, kParameters.size()> values;
  std::array<OSSL_PARAM, kParameters.size() + 2> parameters;
  auto next = parameters.begin();
  for (size_t i = 0; i < kParameters.size(); i++) {
    const auto index = static_cast<unsigned>(i + 2);
    if (!call.has(index)) continue;
    values[i] = copy_of(call, index);
    const size_t size = values[i].size();
    values[i].push_back(0);
    *next++ = i < kTexts
                  ? OSSL_PARAM_construct_utf8_string(kParameters[i], reinterpret_cast<char*>(values[i].data()), size)
                  : OSSL_PARAM_construct_octet_string(kParameters[i], values[i].data(), size);
  }
  if (call.failed()) return {};
  size_t length = call.uint32(7);
  if (call.has(7)) *next++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &length);
  *next = OSSL_PARAM_construct_end();

  Input key(call, 1);
  if (!made.context || has_wrong_mode(kind.get(), call.string(3)) ||
      EVP_MAC_init(made.context.get(), key.data(), key.size(), parameters.data()) != 1)
    return raise_mac(call, "Failed to initialize MAC");
  return runtime::make_instance(runtime::Runtime::from(call.realm()), std::move(made), kMethods);
}

// names() → every name in small letters, sorted; no object identifiers.
Value names(Call& call) {
  openssl_ready();
  std::set<std::string> found;
  EVP_MAC_do_all_provided(
      nullptr,
      [](EVP_MAC* mac, void* into) {
        EVP_MAC_names_do_all(
            mac,
            [](const char* name, void* all) {
              std::string text(name);
              std::ranges::transform(text, text.begin(),
                                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
              if (!std::isdigit(static_cast<unsigned char>(text[0])))
                static_cast<std::set<std::string>*>(all)->insert(text);
            },
            into);
      },
      &found);
  return call.value(make_array(call.realm(), std::vector<std::string>(found.begin(), found.end())));
}

constexpr FunctionSpec kFunctions[] = {{"newMac", native<new_mac>, 8}, {"names", native<names>, 0}};

}  // namespace

void init_crypto_mac(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
