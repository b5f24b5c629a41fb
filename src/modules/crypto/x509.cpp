// native('crypto_x509'): certificates, and the signed public keys of the <keygen> element (SPKAC).
#include "modules/crypto/certificate_object.h"
#include "modules/crypto/key_parse.h"
#include "modules/crypto/pkcs12.h"
#include "modules/crypto/work.h"
#include "runtime/native_class.h"

namespace rondo::modules {

using namespace crypto;
using runtime::method;

namespace {

struct Certificate {
  X509Ptr x509;
  operator X509*() const { return x509.get(); }  // NOLINT(google-explicit-constructor)
};

extern const std::span<const FunctionSpec> kMethods;

Value certificate_value(JSC::JSGlobalObject* realm, X509Ptr x509) {
  return runtime::make_instance(runtime::Runtime::from(realm), Certificate{std::move(x509)}, kMethods);
}

// parse(PEM or DER) → certificate
Value parse(Call& call) {
  OpensslScope scope;
  Input input(call, 0);
  auto bio = bio_on(input.bytes());
  X509Ptr found(PEM_read_bio_X509_AUX(bio.get(), nullptr, [](char*, int, int, void*) { return 0; }, nullptr));
  if (!found) {
    auto errors = OpensslErrors::take();
    const unsigned char* at = input.data();
    found.reset(d2i_X509(nullptr, &at, static_cast<long>(input.size())));
    if (!found) {
      // Of something that has a PEM header the first failure tells more.
      const bool is_pem = input.size() > 0 && input.data()[0] == '-';
      if (is_pem) return call.raise(errors.make_error(call.realm(), "Failed to parse certificate"));
      return raise_openssl(call, "Failed to parse certificate");
    }
  }
  return certificate_value(call.realm(), std::move(found));
}

constexpr unsigned long kNameFlags =
    ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT | XN_FLAG_SEP_MULTILINE | XN_FLAG_FN_SN;

std::string name_text(const X509_NAME* name) {
  auto bio = new_memory_bio();
  X509_NAME_print_ex(bio.get(), name, 0, kNameFlags);
  return text_in(bio.get());
}

double seconds_of(const ASN1_TIME* time) {
  tm parts = {};
  ASN1_TIME_to_tm(time, &parts);
  return static_cast<double>(timegm(&parts));
}

std::string oid_text(const ASN1_OBJECT* object) {
  char text[256];
  OBJ_obj2txt(text, sizeof(text), object, 1);
  return text;
}

// text(which) → string, or undefined when it has none
Value text(Call& call, Certificate& certificate) {
  OpensslScope scope;
  const auto which = call.string(0);
  std::string found;
  if (which == "subject") found = name_text(X509_get_subject_name(certificate));
  if (which == "issuer") found = name_text(X509_get_issuer_name(certificate));
  if (which == "subjectAltName") found = alternative_names(certificate);
  if (which == "infoAccess") found = information_access(certificate);
  if (which == "validFrom") found = time_text(X509_get0_notBefore(certificate));
  if (which == "validTo") found = time_text(X509_get0_notAfter(certificate));
  if (which == "fingerprint") found = fingerprint_of(certificate, EVP_sha1());
  if (which == "fingerprint256") found = fingerprint_of(certificate, EVP_sha256());
  if (which == "fingerprint512") found = fingerprint_of(certificate, EVP_sha512());
  if (which == "serialNumber") found = serial_number(certificate);
  const int nid = X509_get_signature_nid(certificate);
  if (which == "signatureAlgorithm" && nid != NID_undef) found = OBJ_nid2ln(nid);
  if (which == "signatureAlgorithmOid") {
    const X509_ALGOR* algorithm = nullptr;
    X509_get0_signature(nullptr, &algorithm, certificate);
    found = oid_text(algorithm->algorithm);
  }
  if (which == "pem") {
    auto bio = new_memory_bio();
    PEM_write_bio_X509(bio.get(), certificate);
    found = text_in(bio.get());
  }
  return found.empty() ? call.undefined() : call.text(found);
}

// seconds(end?) since 1970
Value seconds(Call& call, Certificate& certificate) {
  return call.value(seconds_of(call.boolean(0) ? X509_get0_notAfter(certificate) : X509_get0_notBefore(certificate)));
}

// raw() → Buffer
Value raw(Call& call, Certificate& certificate) { return call.value(make_buffer(call.realm(), der_of(certificate))); }

// usages() → the extended key usages as OIDs, or undefined
Value usages(Call& call, Certificate& certificate) {
  OpensslScope scope;
  auto found = extended_key_usage(certificate);
  return found.empty() ? call.undefined() : call.value(make_array(call.realm(), found));
}

// publicKey() → key
Value public_key(Call& call, Certificate& certificate) {
  OpensslScope scope;
  auto key = certified_key(certificate);
  if (!key) return raise_openssl(call, "Failed to read public key");
  return key_value(call.realm(), make_key(KeyKind::Public, std::move(key)));
}

// isAuthority()
Value is_authority(Call& call, Certificate& certificate) {
  OpensslScope scope;
  return call.value(X509_check_ca(certificate) == 1);
}

// checkHost(name, flags) → the name that matched, or undefined
Value check_host(Call& call, Certificate& certificate) {
  OpensslScope scope;
  const auto name = call.string(0);
  char* peer = nullptr;
  const int found = X509_check_host(certificate, name.data(), name.size(), call.uint32(1), &peer);
  OpensslText owner(peer);
  if (found == 1) return call.text(peer ? peer : name);
  if (found == -2)
    return raise_with_code(call.realm(), JSC::ErrorType::TypeError, "ERR_INVALID_ARG_VALUE"_s, "Invalid name"_s);
  return call.undefined();
}

// checkEmail(address, flags), checkIp(address, flags): true when it matched
Value check_email(Call& call, Certificate& certificate) {
  OpensslScope scope;
  const auto address = call.string(0);
  const int found = X509_check_email(certificate, address.data(), address.size(), call.uint32(1));
  if (found == -2)
    return raise_with_code(call.realm(), JSC::ErrorType::TypeError, "ERR_INVALID_ARG_VALUE"_s, "Invalid name"_s);
  return call.value(found == 1);
}
Value check_ip(Call& call, Certificate& certificate) {
  OpensslScope scope;
  const int found = X509_check_ip_asc(certificate, call.string(0).c_str(), call.uint32(1));
  if (found == -2)
    return raise_with_code(call.realm(), JSC::ErrorType::TypeError, "ERR_INVALID_ARG_VALUE"_s, "Invalid IP"_s);
  return call.value(found == 1);
}

// isIssuedBy(other)
Value is_issued_by(Call& call, Certificate& certificate) {
  OpensslScope scope;
  auto* issuer = held_in<Certificate>(call.at(0));
  return call.value(issuer && X509_check_issued(*issuer, certificate) == X509_V_OK);
}

// fits(private key)
Value fits(Call& call, Certificate& certificate) {
  OpensslScope scope;
  auto key = key_in(call.at(0));
  if (key && key->pq) {
    auto own = pq_from_certificate(certificate);
    return call.value(own && own->equals(*key->pq));
  }
  return call.value(key && key->pkey && X509_check_private_key(certificate, key->pkey.get()) == 1);
}

// isSignedBy(public key)
Value is_signed_by(Call& call, Certificate& certificate) {
  OpensslScope scope;
  auto key = key_in(call.at(0));
  if (key && key->pq) return call.value(pq_is_signed_by(certificate, *key->pq));
  return call.value(key && key->pkey && X509_verify(certificate, key->pkey.get()) == 1);
}

// legacyObject() → as socket.getPeerCertificate() has it
Value legacy_object(Call& call, Certificate& certificate) {
  OpensslScope scope;
  return call.value(certificate_object(call.realm(), certificate));
}

using SpkiPtr = Owned<NETSCAPE_SPKI, NETSCAPE_SPKI_free>;

SpkiPtr spki_at(Call& call) {
  Input input(call, 0);
  return SpkiPtr(NETSCAPE_SPKI_b64_decode(reinterpret_cast<const char*>(input.data()), static_cast<int>(input.size())));
}

// verifySpkac(bytes) → boolean
Value verify_spkac(Call& call) {
  OpensslScope scope;
  auto spki = spki_at(call);
  PkeyPtr key(spki ? X509_PUBKEY_get(spki->spkac->pubkey) : nullptr);
  return call.value(key && NETSCAPE_SPKI_verify(spki.get(), key.get()) > 0);
}

// exportPublicKey(bytes) → Buffer with PEM, or undefined
Value export_public_key(Call& call) {
  OpensslScope scope;
  auto spki = spki_at(call);
  PkeyPtr key(spki ? NETSCAPE_SPKI_get_pubkey(spki.get()) : nullptr);
  auto bio = new_memory_bio();
  if (!key || PEM_write_bio_PUBKEY(bio.get(), key.get()) <= 0) return call.undefined();
  return make_buffer(call.realm(), bytes_in(bio.get()));
}

// exportChallenge(bytes) → Buffer, or undefined
Value export_challenge(Call& call) {
  OpensslScope scope;
  auto spki = spki_at(call);
  if (!spki) return call.undefined();
  unsigned char* utf8 = nullptr;
  const int size = ASN1_STRING_to_UTF8(&utf8, spki->spkac->challenge);
  OpensslBytes owner(utf8);
  return size < 0 ? call.undefined() : Value(make_buffer(call.realm(), {utf8, static_cast<size_t>(size)}));
}

// parsePkcs12(bytes, passphrase or undefined) → [private key or null, certificate or null, other certificates]
Value parse_pkcs12(Call& call) {
  OpensslScope scope;
  const Bytes passphrase = copy_of(call, 1);
  const std::string text(passphrase.begin(), passphrase.end());
  Pkcs12Parts parts(call.bytes(0), call.has(1) ? text.c_str() : nullptr);
  if (!parts.is_bundle)
    return raise_with_code(call.realm(), JSC::ErrorType::Error, "ERR_CRYPTO_OPERATION_FAILED"_s,
                           "Input is not a valid PKCS#12 structure"_s);
  if (!parts.is_open && ERR_GET_REASON(ERR_peek_error()) == ERR_R_UNSUPPORTED)
    return raise_with_code(
        call.realm(), JSC::ErrorType::Error, "ERR_CRYPTO_UNSUPPORTED_OPERATION"_s,
        "PKCS#12 bundle uses an unsupported algorithm; it may require the OpenSSL legacy provider"_s);
  if (!parts.is_open) return raise_openssl(call, "Could not open the PKCS#12 bundle");
  auto* realm = call.realm();
  JSC::MarkedArgumentBuffer others;
  while (X509* other = sk_X509_shift(parts.others.get())) others.append(certificate_value(realm, X509Ptr(other)));
  JSC::MarkedArgumentBuffer made;
  made.append(parts.key ? key_value(realm, make_key(KeyKind::Private, std::move(parts.key))) : JSC::jsNull());
  made.append(parts.certificate ? certificate_value(realm, std::move(parts.certificate)) : JSC::jsNull());
  made.append(make_array(realm, others));
  return call.value(make_array(realm, made));
}

constexpr FunctionSpec kCertificateMethods[] = {{"text", method<Certificate, text>, 1},
                                                {"seconds", method<Certificate, seconds>, 1},
                                                {"raw", method<Certificate, raw>},
                                                {"usages", method<Certificate, usages>},
                                                {"publicKey", method<Certificate, public_key>},
                                                {"isAuthority", method<Certificate, is_authority>},
                                                {"checkHost", method<Certificate, check_host>, 2},
                                                {"checkEmail", method<Certificate, check_email>, 2},
                                                {"checkIp", method<Certificate, check_ip>, 2},
                                                {"isIssuedBy", method<Certificate, is_issued_by>, 1},
                                                {"fits", method<Certificate, fits>, 1},
                                                {"isSignedBy", method<Certificate, is_signed_by>, 1},
                                                {"legacyObject", method<Certificate, legacy_object>}};
const std::span<const FunctionSpec> kMethods = kCertificateMethods;

constexpr FunctionSpec kFunctions[] = {{"parse", native<parse>, 1},
                                       {"verifySpkac", native<verify_spkac>, 1},
                                       {"exportPublicKey", native<export_public_key>, 1},
                                       {"exportChallenge", native<export_challenge>, 1},
                                       {"parsePkcs12", native<parse_pkcs12>, 2}};

}  // namespace

void init_crypto_x509(runtime::Runtime& runtime, JSC::JSObject* target) {
  static constexpr engine::NumberSpec kNumbers[] = {{"kAlwaysSubject", X509_CHECK_FLAG_ALWAYS_CHECK_SUBJECT},
                                                    {"kNoWildcards", X509_CHECK_FLAG_NO_WILDCARDS},
                                                    {"kNoPartialWildcards", X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS},
                                                    {"kMultiLabel", X509_CHECK_FLAG_MULTI_LABEL_WILDCARDS},
                                                    {"kSingleLabel", X509_CHECK_FLAG_SINGLE_LABEL_SUBDOMAINS},
                                                    {"kNeverSubject", X509_CHECK_FLAG_NEVER_CHECK_SUBJECT}};
  put_functions(runtime.realm(), target, kFunctions);
  put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
