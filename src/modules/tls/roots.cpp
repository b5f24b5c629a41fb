// The certificate authorities of contexts that name none: Debian's bundle, NODE_EXTRA_CA_CERTS, or what the program set in their place.
#include "modules/tls/context.h"

#include "engine/core/buffer_class.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace rondo::modules::tls {

using namespace engine;
using runtime::Runtime;

namespace {

constexpr const char* kDebianBundle = "/etc/ssl/certs/ca-certificates.crt";

// A file that the environment names. A program under --permission does not choose it: only the environment that the process was started with counts.
const char* const kCertFileAtStart = getenv("SSL_CERT_FILE");
const char* const kExtraFileAtStart = getenv("NODE_EXTRA_CA_CERTS");
const char* named_file(const Runtime& runtime, const char* variable, const char* at_start) {
  const auto* permission = runtime.permission();
  return permission && permission->is_enforced() ? at_start : getenv(variable);
}

std::string contents_of(const char* path, bool* found) {
  std::ifstream file(path, std::ios::binary);
  *found = static_cast<bool>(file);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

std::string pem_of(X509* certificate) {
  auto bio = new_memory_bio();
  PEM_write_bio_X509(bio.get(), certificate);
  auto text = text_in(bio.get());
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

Value pem_array(Call& call, const Roots::Certificates& certificates) {
  std::vector<std::string> texts;
  texts.reserve(certificates.size());
  for (const auto& certificate : certificates) texts.push_back(pem_of(certificate.get()));
  return call.value(make_array(call.realm(), texts));
}

}  // namespace

const Roots::Certificates& Roots::system() {
  if (has_system_) return system_;
  has_system_ = true;
  const char* path = named_file(runtime_, "SSL_CERT_FILE", kCertFileAtStart);
  bool found = false;
  system_ = certificates_in(as_bytes(contents_of(path ? path : kDebianBundle, &found)));
  ERR_clear_error();
  return system_;
}

const Roots::Certificates& Roots::extra(std::string* problem) {
  const char* path = named_file(runtime_, "NODE_EXTRA_CA_CERTS", kExtraFileAtStart);
  if (!has_extra_ && path && *path) {
    bool found = false;
    extra_ = certificates_in(as_bytes(contents_of(path, &found)));
    const auto last = ERR_peek_last_error();
    const bool at_end = ERR_GET_LIB(last) == ERR_LIB_PEM && ERR_GET_REASON(last) == PEM_R_NO_START_LINE;
    if (!found)
      extra_problem_ = "error:80000002:system library::No such file or directory";
    else if (extra_.empty() || !at_end) {
      char text[256];
      ERR_error_string_n(last, text, sizeof(text));
      extra_problem_ = text;
    }
    ERR_clear_error();
  }
  has_extra_ = true;
  if (problem) *problem = extra_problem_;
  return extra_;
}

void Roots::replace(Certificates certificates) {
  replacement_ = std::move(certificates);
  replaced_ = true;
  store_.reset();
}

template <class Use>
void Roots::for_each(Use use) {
  if (replaced_) {
    for (const auto& one : replacement_) use(one.get());
    return;
  }
  for (const auto& one : system()) use(one.get());
  for (const auto& one : extra()) use(one.get());
}

X509StorePtr Roots::new_store() {
  X509StorePtr store(X509_STORE_new());
  for_each([&](X509* certificate) { X509_STORE_add_cert(store.get(), certificate); });
  ERR_clear_error();
  return store;
}

X509_STORE* Roots::store() {
  if (!store_) store_ = new_store();
  return store_.get();
}

namespace {

Roots& roots_of(const Call& call) {
  openssl_ready();
  return Runtime::from(call.realm()).local<Roots>();
}

// systemRoots(), extraRoots(), replacedRoots() → PEM texts
Value system_roots(Call& call) { return pem_array(call, roots_of(call).system()); }
Value extra_roots(Call& call) { return pem_array(call, roots_of(call).extra()); }
Value replaced_roots(Call& call) { return pem_array(call, roots_of(call).replacement()); }

// extraProblem() → why NODE_EXTRA_CA_CERTS gave less than it should, or undefined
Value extra_problem(Call& call) {
  std::string problem;
  roots_of(call).extra(&problem);
  return problem.empty() ? call.undefined() : call.text(problem);
}

// replaceRoots([PEM text or view…]); the same certificate counts once.
Value replace_roots(Call& call) {
  OpensslScope scope;
  auto* realm = call.realm();
  auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(0));
  Roots::Certificates all;
  for (unsigned i = 0; list && i < list->length(); i++) {
    Value item = list->getIndex(realm, i);
    std::string text;
    if (item.isString()) {
      text = to_utf8(JSC::asString(item)->value(realm));
    } else {
      auto bytes = bytes_of(item);
      text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    auto found = certificates_in(as_bytes(text));
    const auto last = ERR_peek_last_error();
    const bool at_end = ERR_GET_LIB(last) == ERR_LIB_PEM && ERR_GET_REASON(last) == PEM_R_NO_START_LINE;
    if (!at_end) return raise_openssl(call);
    ERR_clear_error();
    for (auto& one : found) {
      const bool known =
          std::any_of(all.begin(), all.end(), [&](auto& other) { return X509_cmp(other.get(), one.get()) == 0; });
      if (!known) all.push_back(std::move(one));
    }
  }
  if (list && list->length() > 0 && all.empty())
    return raise_with_code(call.realm(), JSC::ErrorType::Error, "ERR_CRYPTO_OPERATION_FAILED"_s,
                           to_wtf("No valid certificates found in the provided array"));
  roots_of(call).replace(std::move(all));
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"systemRoots", native<system_roots>, 0},
                                       {"extraRoots", native<extra_roots>, 0},
                                       {"extraProblem", native<extra_problem>, 0},
                                       {"replacedRoots", native<replaced_roots>, 0},
                                       {"replaceRoots", native<replace_roots>, 1}};

}  // namespace

const std::span<const FunctionSpec> kRootFunctions = kFunctions;

}  // namespace rondo::modules::tls
