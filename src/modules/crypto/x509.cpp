// native('crypto_x509'): certificates, and the signed public keys of the <keygen> element (SPKAC).
#include "modules/crypto/x509.h"

#include "modules/crypto/certificate_object.h"
#include "modules/crypto/key_parse.h"
#include "modules/crypto/pkcs12.h"
#include "modules/crypto/work.h"

namespace rondo::modules {

using namespace crypto;

namespace {

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

// text(certificate, which) → string, or undefined when it has none
Value text(Call& call) {
  OpensslScope scope;
  auto* x509 = certificate_in(call.at(0));
  if (!x509) return call.undefined();
  const auto which = call.string(1);
  std::string found;
  if (which == "subject") found = name_text(X509_get_subject_name(x509));
  if (which == "issuer") found = name_text(X509_get_issuer_name(x509));
  if (which == "subjectAltName") found = alternative_names(x509);
  if (which == "infoAccess") found = information_access(x509);
  if (which == "validFrom") found = time_text(X509_get0_notBefore(x509));
  if (which == "validTo") found = time_text(X509_get0_notAfter(x509));
  if (which == "fingerprint") found = fingerprint_of(x509, EVP_sha1());
  if (which == "fingerprint256") found = fingerprint_of(x509, EVP_sha256());
  if (which == "fingerprint512") found = fingerprint_of(x509, EVP_sha512());
  if (which == "serialNumber") found = serial_number(x509);
  const int nid = X509_get_signature_nid(x509);
  if (which == "signatureAlgorithm" && nid != NID_undef) found = OBJ_nid2ln(nid);
  if (which == "signatureAlgorithmOid") {
    const X509_ALGOR* algorithm = nullptr;
    X509_get0_signature(nullptr, &algorithm, x509);
    found = oid_text(algorithm->algorithm);
  }
  if (which == "pem") {
    auto bio = new_memory_bio();
    PEM_write_bio_X509(bio.get(), x509);
    found = text_in(bio.get());
  }
  return found.empty() ? call.undefined() : call.text(found);
}

// seconds(certificate, end?) since 1970
Value seconds(Call& call) {
  auto* x509 = certificate_in(call.at(0));
  if (!x509) return call.undefined();
  return call.value(seconds_of(call.boolean(1) ? X509_get0_notAfter(x509) : X509_get0_notBefore(x509)));
}

// raw(certificate) → Buffer
Value raw(Call& call) {
  auto* x509 = certificate_in(call.at(0));
  return x509 ? call.value(make_buffer(call.realm(), der_of(x509))) : call.undefined();
}

// usages(certificate) → the extended key usages as OIDs, or undefined
Value usages(Call& call) {
  OpensslScope scope;
  auto* x509 = certificate_in(call.at(0));
  if (!x509) return call.undefined();
  auto found = extended_key_usage(x509);
  return found.empty() ? call.undefined() : call.value(make_array(call.realm(), found));
}

// publicKey(certificate) → key
Value public_key(Call& call) {
  OpensslScope scope;
  auto* x509 = certificate_in(call.at(0));
  auto key = x509 ? certified_key(x509) : nullptr;
  if (!key) return raise_openssl(call, "Failed to read public key");
  return key_value(call.realm(), make_key(KeyKind::Public, std::move(key)));
}

// isAuthority(certificate)
Value is_authority(Call& call) {
  OpensslScope scope;
  auto* x509 = certificate_in(call.at(0));
  return call.value(x509 && X509_check_ca(x509) == 1);
}

// checkHost(certificate, name, flags) → the name that matched, or undefined
Value check_host(Call& call) {
  OpensslScope scope;
  auto* x509 = certificate_in(call.at(0));
  if (!x509) return call.undefined();
  const auto name = call.string(1);
  char* peer = nullptr;
  const int found = X509_check_host(x509, name.data(), name.size(), call.uint32(2), &peer);
  OpensslText owner(peer);
  if (found == 1) return call.text(peer ? peer : name);
  if (found == -2)
    return raise_with_code(call.realm(), JSC::ErrorType::TypeError, "ERR_INVALID_ARG_VALUE"_s, "Invalid name"_s);
  return call.undefined();
}

// checkEmail(certificate, address, flags), checkIp(certificate, address, flags): true when it matched
Value check_email(Call& call) {
  OpensslScope scope;
  auto* x509 = certificate_in(call.at(0));
  const auto address = call.string(1);
  const int found = x509 ? X509_check_email(x509, address.data(), address.size(), call.uint32(2)) : 0;
  if (found == -2)
    return raise_with_code(call.realm(), JSC::ErrorType::TypeError, "ERR_INVALID_ARG_VALUE"_s, "Invalid name"_s);
  return call.value(found == 1);
}
Value check_ip(Call& call) {
  OpensslScope scope;
  auto* x509 = certificate_in(call.at(0));
  const int found = x509 ? X509_check_ip_asc(x509, call.string(1).c_str(), call.uint32(2)) : 0;
  if (found == -2)
    return raise_with_code(call.realm(), JSC::ErrorType::TypeError, "ERR_INVALID_ARG_VALUE"_s, "Invalid IP"_s);
  return call.value(found == 1);
}

// isIssuedBy(certificate, other)
Value is_issued_by(Call& call) {
  OpensslScope scope;
  auto *x509 = certificate_in(call.at(0)), *issuer = certificate_in(call.at(1));
  return call.value(x509 && issuer && X509_check_issued(issuer, x509) == X509_V_OK);
}

// fits(certificate, private key)
Value fits(Call& call) {
  OpensslScope scope;
  auto* x509 = certificate_in(call.at(0));
  auto key = key_in(call.at(1));
  if (x509 && key && key->pq) {
    auto own = pq_from_certificate(x509);
    return call.value(own && own->equals(*key->pq));
  }
  return call.value(x509 && key && key->pkey && X509_check_private_key(x509, key->pkey.get()) == 1);
}

// isSignedBy(certificate, public key)
Value is_signed_by(Call& call) {
  OpensslScope scope;
  auto* x509 = certificate_in(call.at(0));
  auto key = key_in(call.at(1));
  if (x509 && key && key->pq) return call.value(pq_is_signed_by(x509, *key->pq));
  return call.value(x509 && key && key->pkey && X509_verify(x509, key->pkey.get()) == 1);
}

// legacyObject(certificate) → as socket.getPeerCertificate() has it
Value legacy_object(Call& call) {
  OpensslScope scope;
  auto* x509 = certificate_in(call.at(0));
  return x509 ? call.value(certificate_object(call.realm(), x509)) : call.undefined();
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

constexpr FunctionSpec kFunctions[] = {{"parse", native<parse>, 1},
                                       {"text", native<text>, 2},
                                       {"seconds", native<seconds>, 2},
                                       {"raw", native<raw>, 1},
                                       {"usages", native<usages>, 1},
                                       {"publicKey", native<public_key>, 1},
                                       {"isAuthority", native<is_authority>, 1},
                                       {"checkHost", native<check_host>, 3},
                                       {"checkEmail", native<check_email>, 3},
                                       {"checkIp", native<check_ip>, 3},
                                       {"isIssuedBy", native<is_issued_by>, 2},
                                       {"fits", native<fits>, 2},
                                       {"isSignedBy", native<is_signed_by>, 2},
                                       {"legacyObject", native<legacy_object>, 1},
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
