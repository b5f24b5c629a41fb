// A certificate as the plain object that socket.getPeerCertificate() and X509Certificate's toLegacyObject() answer with, and the
// texts it is made of.
#pragma once

#include "modules/crypto/openssl.h"

namespace rondo::modules {

// `infoAccess` is the extension's text; lib/ makes an object of it.
JSC::JSObject* certificate_object(JSC::JSGlobalObject* realm, X509* certificate);

// A name as an object without prototype: short names, and arrays for what stands there more than once.
JSC::JSObject* name_object(JSC::JSGlobalObject* realm, const X509_NAME* name);

// "DNS:a, IP Address:127.0.0.1", names that could be mistaken for more than one as JSON strings; empty without the extension.
std::string alternative_names(X509* certificate);
// "OCSP - URI:http://…", one a line.
std::string information_access(X509* certificate);

// In upper case, with colons.
std::string fingerprint_of(X509* certificate, const EVP_MD* digest);
// Object identifiers; empty without the extension.
std::vector<std::string> extended_key_usage(X509* certificate);
std::string serial_number(X509* certificate);
std::string time_text(const ASN1_TIME* time);

std::vector<uint8_t> der_of(X509* certificate);

}  // namespace rondo::modules
