// native('crypto_cipher'): symmetric ciphers. A running one is a native object; `once` is the one-shot form of crypto.subtle.
#include "modules/crypto/work.h"
#include "runtime/native_class.h"

#include <climits>
#include <set>

namespace rondo::modules {

using namespace crypto;
using runtime::method;

namespace crypto {

const EVP_CIPHER* cipher_named(Call& call, const std::string& name) {
  auto& kept = runtime::Runtime::from(call.realm()).local<Fetched>().ciphers;
  if (auto found = kept.find(name); found != kept.end()) return found->second.get();
  openssl_ready();
  CipherPtr cipher(EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr));
  if (!cipher) {
    // Names that only the older table has.
    const EVP_CIPHER* known = EVP_get_cipherbyname(name.c_str());
    if (known) cipher.reset(EVP_CIPHER_fetch(nullptr, EVP_CIPHER_get0_name(known), nullptr));
  }
  return cipher ? kept.emplace(name, std::move(cipher)).first->second.get() : nullptr;
}

}  // namespace crypto

namespace {

constexpr size_t kNoLength = SIZE_MAX;
constexpr size_t kDefaultTag = 16;
constexpr size_t kMostTag = 16;

bool is_chacha(const EVP_CIPHER* cipher) { return EVP_CIPHER_is_a(cipher, "ChaCha20-Poly1305"); }

bool is_authenticated(const EVP_CIPHER* cipher) {
  switch (EVP_CIPHER_get_mode(cipher)) {
    case EVP_CIPH_CCM_MODE:
    case EVP_CIPH_GCM_MODE:
    case EVP_CIPH_OCB_MODE:
      return true;
    default:
      return is_chacha(cipher);
  }
}

constexpr bool is_gcm_tag_length(size_t size) { return size == 4 || size == 8 || (size >= 12 && size <= 16); }

Value raise_coded(Call& call, JSC::ErrorType type, ASCIILiteral code, const std::string& message) {
  return raise_with_code(call.realm(), type, code, to_wtf(message));
}
Value bad_iv(Call& call) {
  return raise_coded(call, JSC::ErrorType::TypeError, "ERR_CRYPTO_INVALID_IV"_s, "Invalid initialization vector");
}
Value bad_tag(Call& call, const std::string& message) {
  return raise_coded(call, JSC::ErrorType::TypeError, "ERR_CRYPTO_INVALID_AUTH_TAG"_s, message);
}
Value bad_tag_length(Call& call, size_t size) {
  return bad_tag(call, "Invalid authentication tag length: " + std::to_string(size));
}
Value bad_message_length(Call& call) {
  return raise_coded(call, JSC::ErrorType::RangeError, "ERR_CRYPTO_INVALID_MESSAGELEN"_s, "Invalid message length");
}

enum class TagState : uint8_t { Unknown, Known, Passed };

struct Cipher {
  CipherContextPtr context;  // gone when finished
  bool encrypts = true;
  bool authenticates = false;
  bool is_ccm = false;
  bool is_gcm = false;
  bool has_failed = false;  // CCM finds a wrong tag in update and says so in final
  TagState tag_state = TagState::Unknown;
  size_t tag_length = kNoLength;
  uint8_t tag[kMostTag] = {};
  size_t most_bytes = INT_MAX;

  bool pass_tag() {
    if (encrypts || tag_state != TagState::Known) return true;
    if (EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(tag_length), tag) != 1) return false;
    tag_state = TagState::Passed;
    return true;
  }
};

// False after an error was raised.
bool start_authenticated(Call& call, Cipher& made, const EVP_CIPHER* kind, size_t iv_size, size_t tag_length) {
  auto* context = made.context.get();
  if (EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(iv_size), nullptr) != 1) {
    bad_iv(call);
    return false;
  }
  made.tag_length = tag_length;
  if (made.is_gcm) {
    if (tag_length == kNoLength || is_gcm_tag_length(tag_length)) return true;
    bad_tag_length(call, tag_length);
    return false;
  }
  if (tag_length == kNoLength && is_chacha(kind)) made.tag_length = kDefaultTag;
  if (made.tag_length == kNoLength) {
    bad_tag(call, "authTagLength required for " + call.string(1));
    return false;
  }
  const bool fits = made.tag_length <= INT_MAX;
  if (!fits || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, static_cast<int>(made.tag_length), nullptr) != 1) {
    bad_tag_length(call, made.tag_length);
    return false;
  }
  // The number of bytes has 15 - iv_size bytes of its own in the first block.
  if (made.is_ccm && iv_size == 12) made.most_bytes = 16777215;
  if (made.is_ccm && iv_size == 13) made.most_bytes = 65535;
  return true;
}

// update(bytes or string) → Buffer
Value update(Call& call, Cipher& cipher) {
  OpensslScope scope;
  constexpr const char* kWords = "Trying to add data in unsupported state";
  if (!cipher.context) return raise_openssl(call, kWords);
  Input input(call, 0);
  if (input.size() > INT_MAX - EVP_MAX_BLOCK_LENGTH)
    return raise_coded(call, JSC::ErrorType::RangeError, "ERR_OUT_OF_RANGE"_s, "data is too long");
  if (cipher.is_ccm && input.size() > cipher.most_bytes) return bad_message_length(call);
  if (!cipher.pass_tag()) return raise_openssl(call, kWords);
  auto* context = cipher.context.get();
  int size = static_cast<int>(input.size()) + EVP_CIPHER_CTX_get_block_size(context);
  // Wrapping needs more room than a block; it says how much when asked with no place to write to.
  if (EVP_CIPHER_CTX_get_mode(context) == EVP_CIPH_WRAP_MODE &&
      EVP_CipherUpdate(context, nullptr, &size, input.data(), static_cast<int>(input.size())) != 1)
    return raise_openssl(call, kWords);
  auto* out = make_buffer_uninitialized(call.realm(), static_cast<size_t>(size));
  if (!out) return {};
  const bool is_good =
      EVP_CipherUpdate(context, out->typedVector(), &size, input.data(), static_cast<int>(input.size())) == 1;
  if (!is_good && !cipher.encrypts && cipher.is_ccm) {
    cipher.has_failed = true;
    return make_buffer_uninitialized(call.realm(), 0);
  }
  if (!is_good) return raise_openssl(call, kWords);
  if (static_cast<size_t>(size) == out->length()) return call.value(out);
  return call.value(make_buffer(call.realm(), {out->typedVector(), static_cast<size_t>(size)}));
}

bool finish(Cipher& cipher, uint8_t* out, int& size) {
  size = 0;
  if (!cipher.encrypts && cipher.authenticates) {
    if (!cipher.pass_tag()) return false;
    // Of these OpenSSL does not ask whether there was a tag.
    if (!cipher.is_gcm && !cipher.is_ccm && cipher.tag_state != TagState::Passed) return false;
  }
  if (cipher.is_ccm && !cipher.encrypts) return !cipher.has_failed && cipher.tag_state == TagState::Passed;
  if (!cipher.is_ccm && EVP_CipherFinal_ex(cipher.context.get(), out, &size) != 1) return false;
  if (!cipher.encrypts || !cipher.authenticates) return true;
  if (cipher.tag_length == kNoLength) cipher.tag_length = kDefaultTag;
  return EVP_CIPHER_CTX_ctrl(cipher.context.get(), EVP_CTRL_AEAD_GET_TAG, static_cast<int>(cipher.tag_length),
                             cipher.tag) == 1;
}

// final() → Buffer
Value final(Call& call, Cipher& cipher) {
  OpensslScope scope;
  if (!cipher.context)
    return raise_coded(call, JSC::ErrorType::Error, "ERR_CRYPTO_INVALID_STATE"_s, "Unsupported state");
  uint8_t out[EVP_MAX_BLOCK_LENGTH];
  int size = 0;
  const bool is_good = finish(cipher, out, size);
  cipher.context.reset();
  if (!is_good) {
    cipher.tag_length = kNoLength;
    return raise_openssl(
        call, cipher.authenticates ? "Unsupported state or unable to authenticate data" : "Unsupported state");
  }
  return call.value(make_buffer(call.realm(), {out, static_cast<size_t>(size)}));
}

// setAutoPadding(on): false when finished
Value set_auto_padding(Call& call, Cipher& cipher) {
  OpensslScope scope;
  if (!cipher.context) return call.value(false);
  return call.value(EVP_CIPHER_CTX_set_padding(cipher.context.get(), call.boolean(0)) == 1);
}

// tag() → Buffer, or undefined while there is none
Value tag(Call& call, Cipher& cipher) {
  if (cipher.context || !cipher.encrypts || !cipher.authenticates || cipher.tag_length == kNoLength)
    return call.undefined();
  return call.value(make_buffer(call.realm(), {cipher.tag, cipher.tag_length}));
}

// setTag(bytes) → false in a wrong state
Value set_tag(Call& call, Cipher& cipher) {
  if (!cipher.context || !cipher.authenticates || cipher.encrypts || cipher.tag_state != TagState::Unknown)
    return call.value(false);
  auto bytes = call.bytes(0);
  const bool is_good = cipher.is_gcm ? is_gcm_tag_length(bytes.size()) &&
                                           (cipher.tag_length == kNoLength ? bytes.size() == kDefaultTag
                                                                           : bytes.size() == cipher.tag_length)
                                     : bytes.size() == cipher.tag_length;
  if (!is_good) return bad_tag_length(call, bytes.size());
  std::copy(bytes.begin(), bytes.end(), cipher.tag);
  cipher.tag_length = bytes.size();
  cipher.tag_state = TagState::Known;
  return call.value(true);
}

// setAad(bytes, length of the text or -1) → false in a wrong state
Value set_aad(Call& call, Cipher& cipher) {
  OpensslScope scope;
  if (!cipher.context || !cipher.authenticates) return call.value(false);
  auto* context = cipher.context.get();
  Input input(call, 0);
  int size = 0;
  if (input.size() > INT_MAX) return call.value(false);
  if (cipher.is_ccm) {
    if (call.int32(1) < 0)
      return raise_coded(call, JSC::ErrorType::TypeError, "ERR_MISSING_ARGS"_s,
                         "options.plaintextLength required for CCM mode with AAD");
    if (static_cast<size_t>(call.int32(1)) > cipher.most_bytes) return bad_message_length(call);
    if (!cipher.encrypts && !cipher.pass_tag()) return call.value(false);
    if (EVP_CipherUpdate(context, nullptr, &size, nullptr, call.int32(1)) != 1) return call.value(false);
  }
  return call.value(EVP_CipherUpdate(context, nullptr, &size, input.data(), static_cast<int>(input.size())) == 1);
}

constexpr FunctionSpec kMethods[] = {
    {"update", method<Cipher, update>, 1},  {"final", method<Cipher, final>, 0},
    {"tag", method<Cipher, tag>, 0},        {"setTag", method<Cipher, set_tag>, 1},
    {"setAad", method<Cipher, set_aad>, 2}, {"setAutoPadding", method<Cipher, set_auto_padding>, 1}};

// start(encrypts, name, key, iv or null, tag length or undefined) → cipher
Value start(Call& call) {
  OpensslScope scope;
  const EVP_CIPHER* kind = cipher_named(call, call.string(1));
  if (!kind) return raise_coded(call, JSC::ErrorType::Error, "ERR_CRYPTO_UNKNOWN_CIPHER"_s, "Unknown cipher");
  Input key(call, 2), iv(call, 3);
  const bool has_iv = call.has(3);
  const auto wanted = static_cast<size_t>(EVP_CIPHER_get_iv_length(kind));
  Cipher made;
  made.encrypts = call.boolean(0);
  made.authenticates = is_authenticated(kind);
  made.is_ccm = EVP_CIPHER_get_mode(kind) == EVP_CIPH_CCM_MODE;
  made.is_gcm = EVP_CIPHER_get_mode(kind) == EVP_CIPH_GCM_MODE;
  if (!has_iv && wanted != 0) return bad_iv(call);
  if (has_iv && !made.authenticates && iv.size() != wanted) return bad_iv(call);
  if (has_iv && is_chacha(kind) && iv.size() > 12) return bad_iv(call);
  made.context.reset(EVP_CIPHER_CTX_new());
  auto* context = made.context.get();
  if (EVP_CIPHER_get_mode(kind) == EVP_CIPH_WRAP_MODE)
    EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
  if (EVP_CipherInit_ex(context, kind, nullptr, nullptr, nullptr, made.encrypts) != 1)
    return raise_openssl(call, "Failed to initialize cipher");
  const size_t tag_length = call.has(4) ? static_cast<size_t>(call.int64(4)) : kNoLength;
  if (made.authenticates && !start_authenticated(call, made, kind, iv.size(), tag_length)) return {};
  if (EVP_CIPHER_CTX_set_key_length(context, static_cast<int>(key.size())) != 1)
    return raise_coded(call, JSC::ErrorType::RangeError, "ERR_CRYPTO_INVALID_KEYLEN"_s, "Invalid key length");
  if (EVP_CipherInit_ex(context, nullptr, nullptr, key.data(), has_iv ? iv.data() : nullptr, made.encrypts) != 1)
    return raise_openssl(call, "Failed to initialize cipher");
  return runtime::make_instance(runtime::Runtime::from(call.realm()), std::move(made), kMethods);
}

struct Once {
  const EVP_CIPHER* kind;
  bool encrypts;
  KeyRef key;
  Bytes iv, aad, input, output;
  size_t tag_length = 0;  // the tag stands behind the encrypted bytes

  bool put_in(EVP_CIPHER_CTX* context) {
    int size = 0, rest = 0;
    auto text = std::span<const uint8_t>(input);
    if (!encrypts && tag_length > 0) {
      if (text.size() < tag_length) return false;
      auto given = text.last(tag_length);
      if (EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, static_cast<int>(tag_length),
                              const_cast<uint8_t*>(given.data())) != 1)
        return false;
      text = text.first(text.size() - tag_length);
    }
    if (!aad.empty() && EVP_CipherUpdate(context, nullptr, &size, aad.data(), static_cast<int>(aad.size())) != 1)
      return false;
    output.resize(text.size() + 2 * EVP_MAX_BLOCK_LENGTH);
    if (EVP_CipherUpdate(context, output.data(), &size, text.data(), static_cast<int>(text.size())) != 1) return false;
    if (EVP_CipherFinal_ex(context, output.data() + size, &rest) != 1) return false;
    output.resize(static_cast<size_t>(size + rest));
    if (!encrypts || tag_length == 0) return true;
    output.resize(output.size() + tag_length);
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, static_cast<int>(tag_length),
                               output.data() + output.size() - tag_length) == 1;
  }

  bool run() {
    CipherContextPtr context(EVP_CIPHER_CTX_new());
    if (EVP_CIPHER_get_mode(kind) == EVP_CIPH_WRAP_MODE)
      EVP_CIPHER_CTX_set_flags(context.get(), EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    if (EVP_CipherInit_ex(context.get(), kind, nullptr, nullptr, nullptr, encrypts) != 1) return false;
    if (tag_length > 0 &&
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(iv.size()), nullptr) != 1)
      return false;
    if (EVP_CIPHER_get_mode(kind) == EVP_CIPH_OCB_MODE &&
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(tag_length), nullptr) != 1)
      return false;
    if (EVP_CipherInit_ex(context.get(), nullptr, nullptr, data_of(key->secret), iv.empty() ? nullptr : iv.data(),
                          encrypts) != 1)
      return false;
    return put_in(context.get());
  }
  Value answer(JSC::JSGlobalObject* realm) const { return buffer_value(realm, output); }
};

// once(encrypts, name, key, iv, bytes, tag length or 0, aad, callback(error, Buffer))
Value once(Call& call) {
  static constexpr runtime::Source kSource{"crypto.subtle.encrypt", "CIPHERREQUEST"};
  auto work = std::make_unique<Once>();
  work->encrypts = call.boolean(0);
  work->kind = cipher_named(call, call.string(1));
  work->key = key_in(call.at(2));
  if (!work->kind || !work->key) return call.error("Unknown cipher");
  work->iv = copy_of(call, 3);
  work->input = copy_of(call, 4);
  work->tag_length = call.uint32(5);
  work->aad = copy_of(call, 6);
  return perform(call, 7, kSource, std::move(work));
}

const char* mode_name(const EVP_CIPHER* kind) {
  switch (EVP_CIPHER_get_mode(kind)) {
    case EVP_CIPH_CBC_MODE:
      return "cbc";
    case EVP_CIPH_CCM_MODE:
      return "ccm";
    case EVP_CIPH_CFB_MODE:
      return "cfb";
    case EVP_CIPH_CTR_MODE:
      return "ctr";
    case EVP_CIPH_ECB_MODE:
      return "ecb";
    case EVP_CIPH_GCM_MODE:
      return "gcm";
    case EVP_CIPH_OCB_MODE:
      return "ocb";
    case EVP_CIPH_OFB_MODE:
      return "ofb";
    case EVP_CIPH_WRAP_MODE:
      return "wrap";
    case EVP_CIPH_XTS_MODE:
      return "xts";
    case EVP_CIPH_STREAM_CIPHER:
      return "stream";
    default:
      return nullptr;
  }
}

bool accepts(const EVP_CIPHER* kind, Call& call) {
  CipherContextPtr context(EVP_CIPHER_CTX_new());
  if (EVP_CipherInit_ex(context.get(), kind, nullptr, nullptr, nullptr, 1) != 1) return false;
  if (call.has(1) && EVP_CIPHER_CTX_set_key_length(context.get(), call.int32(1)) != 1) return false;
  if (!call.has(2)) return true;
  const int size = call.int32(2);
  if (!is_authenticated(kind)) return size == EVP_CIPHER_get_iv_length(kind);
  if (is_chacha(kind) && size > 12) return false;
  return EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN, size, nullptr) == 1;
}

// info(name or number, key length or undefined, iv length or undefined) → object, or undefined
Value info(Call& call) {
  OpensslScope scope;
  std::string wanted = call.string(0);
  if (call.at(0).isNumber()) {
    const char* name = OBJ_nid2sn(call.int32(0));
    if (!name) return call.undefined();
    wanted = name;
  }
  const EVP_CIPHER* kind = cipher_named(call, wanted);
  if (!kind || !accepts(kind, call)) return call.undefined();
  auto* realm = call.realm();
  auto* made = make_object(realm);
  const char* mode = mode_name(kind);
  if (mode) put(realm, made, "mode", call.text(mode));
  const int nid = EVP_CIPHER_get_nid(kind);
  std::string name = nid != NID_undef ? OBJ_nid2sn(nid) : EVP_CIPHER_get0_name(kind);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  put(realm, made, "name", call.text(name));
  put(realm, made, "nid", call.value(nid));
  put(realm, made, "keyLength", call.value(call.has(1) ? call.int32(1) : EVP_CIPHER_get_key_length(kind)));
  // Those of a stream have no blocks.
  if (EVP_CIPHER_get_mode(kind) != EVP_CIPH_STREAM_CIPHER)
    put(realm, made, "blockSize", call.value(EVP_CIPHER_get_block_size(kind)));
  const int iv_length = call.has(2) ? call.int32(2) : EVP_CIPHER_get_iv_length(kind);
  if (iv_length != 0) put(realm, made, "ivLength", call.value(iv_length));
  return call.value(made);
}

// names() → every name by which a cipher is known
Value names(Call& call) {
  OpensslScope scope;
  std::set<std::string> found;
  EVP_CIPHER_do_all_sorted(
      [](const EVP_CIPHER* cipher, const char* from, const char*, void* into) {
        const char* name = from ? from : EVP_CIPHER_get0_name(cipher);
        const EVP_CIPHER* known = EVP_get_cipherbyname(name);
        CipherPtr usable(EVP_CIPHER_fetch(nullptr, known ? EVP_CIPHER_get0_name(known) : name, nullptr));
        if (usable) static_cast<std::set<std::string>*>(into)->insert(name);
      },
      &found);
  std::vector<std::string> list(found.begin(), found.end());
  return call.value(make_array(call.realm(), list));
}

constexpr FunctionSpec kFunctions[] = {
    {"start", native<start>, 5}, {"once", native<once>, 8}, {"info", native<info>, 3}, {"names", native<names>, 0}};

}  // namespace

void init_crypto_cipher(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
