// Callbacks of OpenSSL during a handshake. None of these enters JavaScript but those of pre-shared keys, which cannot wait; the others
// note what happened, and suspend the handshake where the program has to answer first.
#include "modules/tls/session.h"

#include <cstring>

namespace rondo::modules::tls {

using namespace engine;

namespace {

std::string string_of(const unsigned char* bytes, size_t size) { return {reinterpret_cast<const char*>(bytes), size}; }

// An extension of the client's first message, without the list's own length in front.
std::optional<std::string> hello_list(SSL* ssl, unsigned type) {
  const unsigned char* bytes = nullptr;
  size_t size = 0;
  if (SSL_client_hello_get0_ext(ssl, type, &bytes, &size) != 1 || size < 2) return {};
  return string_of(bytes + 2, size - 2);
}

// The first host name of the list.
std::optional<std::string> hello_name(SSL* ssl) {
  auto list = hello_list(ssl, TLSEXT_TYPE_server_name);
  constexpr size_t kHead = 3;  // a type, and a length of two bytes
  if (!list || list->size() < kHead || (*list)[0] != TLSEXT_NAMETYPE_host_name) return {};
  const size_t size = static_cast<uint8_t>((*list)[1]) << 8 | static_cast<uint8_t>((*list)[2]);
  if (list->size() < kHead + size) return {};
  return list->substr(kHead, size);
}

int on_hello(SSL* ssl, int*, void*) {
  auto* session = Session::of(ssl);
  using enum Session::Question;
  if (!session->wants_hello || session->hello == Answered) return SSL_CLIENT_HELLO_SUCCESS;
  if (session->hello == None) {
    session->hello = Asked;
    const unsigned char *id = nullptr, *ticket = nullptr;
    size_t ticket_size = 0;
    const size_t id_size = SSL_client_hello_get0_session_id(ssl, &id);
    SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_session_ticket, &ticket, &ticket_size);
    if (auto name = hello_name(ssl)) session->servername = *name;
    session->tell({EventKind::Hello, string_of(id, id_size),
                   hello_list(ssl, TLSEXT_TYPE_application_layer_protocol_negotiation), ticket_size > 0});
  }
  return SSL_CLIENT_HELLO_RETRY;
}

int on_servername(SSL* ssl, int*, void*) {
  auto* session = Session::of(ssl);
  if (session->side() == Side::Client) return SSL_TLSEXT_ERR_OK;
  if (const char* name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name)) session->servername = name;
  return SSL_TLSEXT_ERR_OK;
}

int on_certificate(SSL* ssl, void*) {
  auto* session = Session::of(ssl);
  using enum Session::Question;
  if (session->side() == Side::Client || !session->wants_certificate || session->certificate == Answered) return 1;
  if (session->certificate == None) {
    session->certificate = Asked;
    const bool wants_ocsp = SSL_get_tlsext_status_type(ssl) == TLSEXT_STATUSTYPE_ocsp;
    session->tell({EventKind::Certificate, session->servername, {}, wants_ocsp});
  }
  return -1;
}

int on_alpn(SSL* ssl, const unsigned char** out, unsigned char* out_size, const unsigned char* in, unsigned in_size,
            void*) {
  auto* session = Session::of(ssl);
  if (session->uses_alpn_answer) {
    if (!session->alpn_answer) return SSL_TLSEXT_ERR_ALERT_FATAL;
    for (unsigned at = 0; at < in_size; at += 1 + in[at]) {
      if (string_of(in + at + 1, in[at]) != *session->alpn_answer) continue;
      *out = in + at + 1;
      *out_size = in[at];
      return SSL_TLSEXT_ERR_OK;
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  const auto& own = session->alpn_protocols;
  if (own.empty()) return SSL_TLSEXT_ERR_NOACK;
  const int found = SSL_select_next_proto(const_cast<unsigned char**>(out), out_size,
                                          reinterpret_cast<const unsigned char*>(own.data()),
                                          static_cast<unsigned>(own.size()), in, in_size);
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

int on_status(SSL* ssl, void*) {
  auto* session = Session::of(ssl);
  if (session->side() == Side::Client) {
    const unsigned char* bytes = nullptr;
    const long size = SSL_get_tlsext_status_ocsp_resp(ssl, &bytes);
    session->tell(
        {EventKind::Ocsp, bytes ? std::optional(string_of(bytes, static_cast<size_t>(size))) : std::nullopt, {}});
    return 1;
  }
  const auto& response = session->ocsp_response;
  if (response.empty()) return SSL_TLSEXT_ERR_NOACK;
  auto* copy = static_cast<unsigned char*>(OPENSSL_memdup(response.data(), response.size()));
  SSL_set_tlsext_status_ocsp_resp(ssl, copy, static_cast<long>(response.size()));
  return SSL_TLSEXT_ERR_OK;
}

int on_new_session(SSL* ssl, SSL_SESSION* made) {
  auto* session = Session::of(ssl);
  if (!session->wants_sessions) return 0;
  unsigned id_size = 0;
  const unsigned char* id = SSL_SESSION_get_id(made, &id_size);
  unsigned char* bytes = nullptr;
  const int size = i2d_SSL_SESSION(made, &bytes);
  OpensslBytes owner(bytes);
  if (size > 0)
    session->tell({EventKind::NewSession, string_of(id, id_size), string_of(bytes, static_cast<size_t>(size))});
  return 0;
}

SSL_SESSION* on_get_session(SSL* ssl, const unsigned char*, int, int* is_copy) {
  *is_copy = 0;
  return Session::of(ssl)->offered_session.release();
}

void on_info(const SSL* ssl, int where, int) {
  if (where & SSL_CB_HANDSHAKE_START) Session::of(ssl)->on_handshake(true);
  if (where & SSL_CB_HANDSHAKE_DONE) Session::of(ssl)->on_handshake(false);
}

void on_keylog(const SSL* ssl, const char* line) {
  auto* session = Session::of(ssl);
  if (session->wants_keylog) session->tell({EventKind::Keylog, std::string(line) + '\n', {}});
}

size_t copy_key(Value key, unsigned char* out, size_t room) {
  auto bytes = bytes_of(key);
  if (bytes.empty() || bytes.size() > room) return 0;
  std::memcpy(out, bytes.data(), bytes.size());
  return bytes.size();
}

unsigned on_server_psk(SSL* ssl, const char* identity, unsigned char* psk, unsigned room) {
  auto* session = Session::of(ssl);
  auto& vm = session->runtime().vm();
  auto text = to_wtf(identity);
  if (to_utf8(text) != identity) return 0;  // no UTF-8
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsString(vm, text));
  arguments.append(JSC::jsNumber(room));
  Value key = session->ask_psk(arguments);
  return key ? static_cast<unsigned>(copy_key(key, psk, room)) : 0;
}

// The function answers [key, identity].
unsigned on_client_psk(SSL* ssl, const char* hint, char* identity, unsigned identity_room, unsigned char* psk,
                       unsigned room) {
  auto* session = Session::of(ssl);
  auto* realm = session->runtime().realm();
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(hint ? make_string(realm->vm(), hint) : JSC::jsNull());
  arguments.append(JSC::jsNumber(room));
  arguments.append(JSC::jsNumber(identity_room));
  Value answer = session->ask_psk(arguments);
  auto* pair = answer ? JSC::jsDynamicCast<JSC::JSArray*>(answer) : nullptr;
  if (!pair) return 0;
  Value name = pair->getIndex(realm, 1);
  if (!name.isString()) return 0;
  auto text = to_utf8(JSC::asString(name)->value(realm));
  if (text.size() > identity_room) return 0;
  std::memcpy(identity, text.data(), text.size());
  if (text.size() < identity_room) identity[text.size()] = 0;
  return static_cast<unsigned>(copy_key(pair->getIndex(realm, 0), psk, room));
}

}  // namespace

void install_callbacks(SSL_CTX* context) {
  SSL_CTX_set_client_hello_cb(context, on_hello, nullptr);
  SSL_CTX_set_tlsext_servername_callback(context, on_servername);
  SSL_CTX_set_cert_cb(context, on_certificate, nullptr);
  SSL_CTX_set_alpn_select_cb(context, on_alpn, nullptr);
  SSL_CTX_set_tlsext_status_cb(context, on_status);
  SSL_CTX_sess_set_new_cb(context, on_new_session);
  SSL_CTX_sess_set_get_cb(context, on_get_session);
  SSL_CTX_set_info_callback(context, on_info);
}

void install_psk(Session& session) {
  session.let_ask_psk();
  if (session.side() == Side::Server) {
    SSL_set_psk_server_callback(session.ssl(), on_server_psk);
    if (!session.psk_hint.empty()) SSL_use_psk_identity_hint(session.ssl(), session.psk_hint.c_str());
  } else {
    SSL_set_psk_client_callback(session.ssl(), on_client_psk);
  }
}

void enable_keylog(SSL_CTX* context) { SSL_CTX_set_keylog_callback(context, on_keylog); }

}  // namespace rondo::modules::tls
