// See certificate_object.h. The texts of alternative names follow Node's: what is not plainly one name is written as a JSON string, so
// that no name can smuggle in a second one.
#include "modules/crypto/certificate_object.h"

#include "engine/core/buffer_class.h"

#include <fmt/format.h>

namespace rondo::modules {

using namespace engine;

namespace {

enum class Script : uint8_t { Ascii, Utf8 };

// Control characters, and in ASCII texts whatever is beyond it.
bool is_plain(unsigned char c, Script script) { return c >= ' ' && c != 0x7f && (c < 0x7f || script == Script::Utf8); }

bool is_unambiguous(std::string_view name, Script script) {
  for (unsigned char c : name) {
    if (c == '"' || c == '\\' || c == ',' || c == '\'' || !is_plain(c, script)) return false;
  }
  return true;
}

std::string quoted(std::string_view name, Script script) {
  std::string out = "\"";
  for (unsigned char c : name) {
    if (c == '\\' || c == '"') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c != ',' && is_plain(c, script)) {
      out += static_cast<char>(c);
    } else {
      out += fmt::format("\\u00{:02x}", c);
    }
  }
  return out + '"';
}

std::string shown(std::string_view name, Script script = Script::Ascii) {
  return is_unambiguous(name, script) ? std::string(name) : quoted(name, script);
}

std::string_view view_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)), static_cast<size_t>(ASN1_STRING_length(text))};
}

std::string address_text(const ASN1_OCTET_STRING* address) {
  const unsigned char* bytes = ASN1_STRING_get0_data(address);
  const int length = ASN1_STRING_length(address);
  if (length == 4) return fmt::format("{}.{}.{}.{}", bytes[0], bytes[1], bytes[2], bytes[3]);
  if (length != 16) return fmt::format("<invalid length={}>", length);
  std::string out;
  for (int i = 0; i < 16; i += 2) out += fmt::format("{}{:X}", i ? ":" : "", bytes[i] << 8 | bytes[i + 1]);
  return out;
}

std::string directory_text(X509_NAME* name) {
  auto bio = new_memory_bio();
  constexpr unsigned long kFlags = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB & ~ASN1_STRFLGS_ESC_CTRL;
  X509_NAME_print_ex(bio.get(), name, 0, kFlags);
  return shown(text_in(bio.get()), Script::Utf8);
}

std::string other_name_text(const OTHERNAME* other) {
  const char* prefix = nullptr;
  Script script = Script::Utf8;
  switch (OBJ_obj2nid(other->type_id)) {
    case NID_id_on_SmtpUTF8Mailbox:
      prefix = "SmtpUTF8Mailbox";
      break;
    case NID_XmppAddr:
      prefix = "XmppAddr";
      break;
    case NID_SRVName:
      prefix = "SRVName";
      script = Script::Ascii;
      break;
    case NID_ms_upn:
      prefix = "UPN";
      break;
    case NID_NAIRealm:
      prefix = "NAIRealm";
      break;
  }
  const int wanted = script == Script::Utf8 ? V_ASN1_UTF8STRING : V_ASN1_IA5STRING;
  if (!prefix || other->value->type != wanted) return "othername:<unsupported>";
  auto name = view_of(other->value->value.asn1_string);
  // The quotation mark stands before the prefix.
  if (is_unambiguous(name, script)) return fmt::format("othername:{}:{}", prefix, name);
  return fmt::format("othername:\"{}:{}", prefix, quoted(name, script).substr(1));
}

std::string general_name_text(const GENERAL_NAME* name) {
  switch (name->type) {
    case GEN_DNS:
      return "DNS:" + shown(view_of(name->d.dNSName));
    case GEN_EMAIL:
      return "email:" + shown(view_of(name->d.rfc822Name));
    case GEN_URI:
      return "URI:" + shown(view_of(name->d.uniformResourceIdentifier));
    case GEN_DIRNAME:
      return "DirName:" + directory_text(name->d.dirn);
    case GEN_IPADD:
      return "IP Address:" + address_text(name->d.ip);
    case GEN_OTHERNAME:
      return other_name_text(name->d.otherName);
    case GEN_X400:
      return "X400Name:<unsupported>";
    case GEN_EDIPARTY:
      return "EdiPartyName:<unsupported>";
    case GEN_RID: {
      char text[256];
      OBJ_obj2txt(text, sizeof(text), name->d.rid, 1);
      return std::string("Registered ID:") + text;
    }
    default:
      return {};
  }
}

template <class T, auto kFree>
Owned<T, kFree> extension(X509* certificate, int nid) {
  return Owned<T, kFree>(static_cast<T*>(X509_get_ext_d2i(certificate, nid, nullptr, nullptr)));
}

Value text_or_undefined(JSC::VM& vm, const std::string& text) {
  return text.empty() ? Value(JSC::jsUndefined()) : make_string(vm, text);
}

struct KeyFacts {
  Value modulus = JSC::jsUndefined(), exponent = JSC::jsUndefined(), bytes = JSC::jsUndefined();
  Value bits = JSC::jsUndefined(), asn1_curve = JSC::jsUndefined(), nist_curve = JSC::jsUndefined();
};

// The key as it stands in the certificate: to encode it anew OpenSSL 3.0 goes through all encoders of all providers, in every handshake.
void describe_rsa(JSC::JSGlobalObject* realm, const X509* certificate, EVP_PKEY* key, KeyFacts& facts) {
  auto& vm = realm->vm();
  BIGNUM *n = nullptr, *e = nullptr;
  EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &n);
  EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &e);
  BignumPtr modulus(n), exponent(e);
  if (!modulus || !exponent) return;
  OpensslText hex(BN_bn2hex(modulus.get()));
  facts.modulus = make_string(vm, hex.get());
  facts.exponent = make_string(vm, fmt::format("0x{:x}", static_cast<uint64_t>(BN_get_word(exponent.get()))));
  unsigned char* der = nullptr;
  const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
  OpensslBytes owner(der);
  if (size > 0) facts.bytes = make_buffer(realm, {der, static_cast<size_t>(size)});
  facts.bits = JSC::jsNumber(EVP_PKEY_get_bits(key));
}

void describe_curve(JSC::JSGlobalObject* realm, EVP_PKEY* key, KeyFacts& facts) {
  auto& vm = realm->vm();
  unsigned char* point = nullptr;
  const size_t size = EVP_PKEY_get1_encoded_public_key(key, &point);
  OpensslBytes owner(point);
  if (size > 0) facts.bytes = make_buffer(realm, {point, size});
  facts.bits = JSC::jsNumber(EVP_PKEY_get_bits(key));
  char name[80];
  if (!EVP_PKEY_get_group_name(key, name, sizeof(name), nullptr)) return;
  const int nid = OBJ_txt2nid(name);
  if (nid == NID_undef) return;
  facts.asn1_curve = make_string(vm, OBJ_nid2sn(nid));
  if (const char* nist = EC_curve_nid2nist(nid)) facts.nist_curve = make_string(vm, nist);
}

}  // namespace

JSC::JSObject* name_object(JSC::JSGlobalObject* realm, const X509_NAME* name) {
  auto& vm = realm->vm();
  auto* object = JSC::constructEmptyObject(vm, realm->nullPrototypeObjectStructure());
  const int count = X509_NAME_entry_count(name);
  for (int i = 0; i < count; i++) {
    const X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, i);
    const ASN1_OBJECT* type = X509_NAME_ENTRY_get_object(entry);
    const int nid = OBJ_obj2nid(type);
    char numbers[80];
    const char* key = OBJ_nid2sn(nid);
    if (nid == NID_undef) {
      OBJ_obj2txt(numbers, sizeof(numbers), type, 1);
      key = numbers;
    }
    unsigned char* utf8 = nullptr;
    const int size = ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(entry));
    if (size < 0) continue;
    OpensslBytes owner(utf8);
    Value value = make_string(vm, {reinterpret_cast<const char*>(utf8), static_cast<size_t>(size)});
    auto id = identifier(vm, key);
    Value known = object->getDirect(vm, id);
    if (!known) {
      object->putDirect(vm, id, value);
    } else if (auto* list = JSC::jsDynamicCast<JSC::JSArray*>(known)) {
      list->push(realm, value);
    } else {
      JSC::MarkedArgumentBuffer both;
      both.append(known);
      both.append(value);
      object->putDirect(vm, id, make_array(realm, both));
    }
  }
  return object;
}

std::string alternative_names(X509* certificate) {
  auto names = extension<GENERAL_NAMES, GENERAL_NAMES_free>(certificate, NID_subject_alt_name);
  std::string out;
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); i++) {
    if (i) out += ", ";
    out += general_name_text(sk_GENERAL_NAME_value(names.get(), i));
  }
  return out;
}

std::string information_access(X509* certificate) {
  auto items = extension<AUTHORITY_INFO_ACCESS, AUTHORITY_INFO_ACCESS_free>(certificate, NID_info_access);
  std::string out;
  for (int i = 0; items && i < sk_ACCESS_DESCRIPTION_num(items.get()); i++) {
    const ACCESS_DESCRIPTION* item = sk_ACCESS_DESCRIPTION_value(items.get(), i);
    char method[80];
    i2t_ASN1_OBJECT(method, sizeof(method), item->method);
    if (i) out += '\n';
    out += std::string(method) + " - " + general_name_text(item->location);
  }
  return out;
}

std::string fingerprint_of(X509* certificate, const EVP_MD* digest) {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (!X509_digest(certificate, digest, bytes, &size)) return {};
  std::string out;
  for (unsigned i = 0; i < size; i++) out += fmt::format("{}{:02X}", i ? ":" : "", bytes[i]);
  return out;
}

std::vector<std::string> extended_key_usage(X509* certificate) {
  auto usages = extension<EXTENDED_KEY_USAGE, EXTENDED_KEY_USAGE_free>(certificate, NID_ext_key_usage);
  std::vector<std::string> out;
  for (int i = 0; usages && i < sk_ASN1_OBJECT_num(usages.get()); i++) {
    char text[256];
    if (OBJ_obj2txt(text, sizeof(text), sk_ASN1_OBJECT_value(usages.get(), i), 1) >= 0) out.emplace_back(text);
  }
  return out;
}

std::string serial_number(X509* certificate) {
  BignumPtr number(ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nullptr));
  if (!number) return {};
  OpensslText hex(BN_bn2hex(number.get()));
  return hex.get();
}

std::string time_text(const ASN1_TIME* time) {
  auto bio = new_memory_bio();
  ASN1_TIME_print(bio.get(), time);
  return text_in(bio.get());
}

std::vector<uint8_t> der_of(X509* certificate) {
  unsigned char* bytes = nullptr;
  const int size = i2d_X509(certificate, &bytes);
  OpensslBytes owner(bytes);
  return size > 0 ? std::vector<uint8_t>(bytes, bytes + size) : std::vector<uint8_t>();
}

JSC::JSObject* certificate_object(JSC::JSGlobalObject* realm, X509* certificate) {
  auto& vm = realm->vm();
  KeyFacts key_facts;
  if (EVP_PKEY* key = X509_get0_pubkey(certificate)) {
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA) describe_rsa(realm, certificate, key, key_facts);
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_EC) describe_curve(realm, key, key_facts);
  }
  auto usages = extended_key_usage(certificate);
  auto* object = make_object(realm);
  put(realm, object, "subject", name_object(realm, X509_get_subject_name(certificate)));
  put(realm, object, "issuer", name_object(realm, X509_get_issuer_name(certificate)));
  put(realm, object, "subjectaltname", text_or_undefined(vm, alternative_names(certificate)));
  put(realm, object, "infoAccess", text_or_undefined(vm, information_access(certificate)));
  put(realm, object, "ca", JSC::jsBoolean(X509_check_ca(certificate) == 1));
  put(realm, object, "modulus", key_facts.modulus);
  put(realm, object, "exponent", key_facts.exponent);
  put(realm, object, "pubkey", key_facts.bytes);
  put(realm, object, "bits", key_facts.bits);
  put(realm, object, "valid_from", make_string(vm, time_text(X509_get0_notBefore(certificate))));
  put(realm, object, "valid_to", make_string(vm, time_text(X509_get0_notAfter(certificate))));
  put(realm, object, "fingerprint", make_string(vm, fingerprint_of(certificate, EVP_sha1())));
  put(realm, object, "fingerprint256", make_string(vm, fingerprint_of(certificate, EVP_sha256())));
  put(realm, object, "fingerprint512", make_string(vm, fingerprint_of(certificate, EVP_sha512())));
  put(realm, object, "ext_key_usage", usages.empty() ? Value(JSC::jsUndefined()) : Value(make_array(realm, usages)));
  put(realm, object, "serialNumber", make_string(vm, serial_number(certificate)));
  put(realm, object, "raw", make_buffer(realm, der_of(certificate)));
  put(realm, object, "asn1Curve", key_facts.asn1_curve);
  put(realm, object, "nistCurve", key_facts.nist_curve);
  return object;
}

}  // namespace rondo::modules
