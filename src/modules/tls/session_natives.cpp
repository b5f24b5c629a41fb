// native('tls'), a connection: bytes both ways, and the answers to what its handshake asks. lib/internal/tls/handle.js calls them.
#include "modules/tls/session.h"

#include "engine/core/buffer_class.h"

#include <cerrno>

namespace rondo::modules {

using runtime::Runtime;

namespace tls {

using namespace engine;
using runtime::Continuation;
using runtime::method;
using runtime::Source;

namespace {

constexpr Source kWrite{"tls.write", "WRITEWRAP"}, kShutdown{"tls.end", "SHUTDOWNWRAP"}, kData{"tls data", "TLSWRAP"};
constexpr size_t kRecord = 16 * 1024, kSlice = 128 * 1024;
constexpr int kBadHandle = -EBADF;
// Answers of a write beside 0 and 1, which are the stream's: without a stream JavaScript sends what is there, now or later.
constexpr int kToSend = 2, kWaits = 3;

// A method for as long as the session is open. One that was destroyed answers undefined, or `kClosed`.
template <Value (*kMethod)(Call&, Session&), int kClosed = 0>
Value open(Call& call, Session& session) {
  if (session.is_open()) return kMethod(call, session);
  return kClosed ? call.value(kClosed) : call.undefined();
}

std::string as_text(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Value buffer_or(JSC::JSGlobalObject* realm, const std::optional<std::string>& bytes, Value otherwise) {
  return bytes ? Value(make_buffer(realm, as_bytes(*bytes))) : otherwise;
}

// newSession(context, isServer) → session
Value new_session(Call& call) {
  OpensslScope scope;
  auto* context = context_in(call.at(0));
  if (!context) return call.type_error("no secure context");
  auto side = call.boolean(1) ? Side::Server : Side::Client;
  auto session = std::make_unique<Session>(Runtime::from(call.realm()), *context, side);
  if (!session->ssl()) return raise_openssl(call, "SSL_new");
  return call.value(runtime::make_instance(Runtime::from(call.realm()), std::move(session), {}));
}

// attach(stream): from now on ciphertext goes straight to the stream.
Value attach(Call& call, Session& session) {
  session.attach(native_of<net::StreamObject>(call.at(0)));
  return call.undefined();
}

// readStart(function(outcome or errno, plaintext)). Until the handshake is over the function is told of input only, and lets
// it in by advance(): what a handshake asks of the program is asked from JavaScript. Afterwards it gets plaintext.
Value read_start(Call& call, Session& session) {
  if (!session.stream()) return call.value(kBadHandle);
  auto on_piece = [&session, cell = call.self(),
                   then = session.stream()->event(call.function(0), kData)](Result<Bytes> piece) mutable {
    if (then.is_dead() || !session.ssl()) return;
    JSC::EnsureStillAliveScope alive(cell);
    JSC::MarkedArgumentBuffer arguments;
    if (!piece || piece->empty()) {
      arguments.append(JSC::jsNumber(piece ? static_cast<int>(kEnd) : -piece.error().number));
      then(arguments);
      return;
    }
    session.lend({reinterpret_cast<const uint8_t*>(piece->data()), piece->size()});
    int outcome = kInput;
    JSC::JSUint8Array* plain = nullptr;
    if (session.needs_no_script()) {
      outcome = session.advance();
      plain = session.take_plain(then.runtime().realm());
    }
    if (outcome != 0 || plain) {
      arguments.append(JSC::jsNumber(outcome));
      if (plain) arguments.append(plain);
      then(arguments);
    }
    session.keep();
  };
  return call.value(net::status_of(session.stream()->stream().read_start(std::move(on_piece))));
}

Value read_stop(Call& call, Session& session) {
  if (session.stream()) session.stream()->stream().read_stop();
  return call.undefined();
}

// feed(ciphertext), for connections without a stream; advance() follows.
Value feed(Call& call, Session& session) {
  session.feed(call.bytes(0));
  return call.undefined();
}

// advance(function that knows pre-shared keys) → Outcome
Value advance(Call& call, Session& session) {
  JSC::EnsureStillAliveScope alive(call.self());
  return call.value(session.advance(call.at(0)));
}

Value take_plain(Call& call, Session& session) {
  auto* plain = session.take_plain(call.realm());
  return plain ? call.value(plain) : call.undefined();
}

Value take_output(Call& call, Session& session) {
  if (session.output().empty()) return call.undefined();
  return call.value(adopt_buffer(call.realm(), std::exchange(session.output(), {})));
}

Value event_array(JSC::JSGlobalObject* realm, const Event& event) {
  auto& vm = realm->vm();
  JSC::MarkedArgumentBuffer parts;
  parts.append(JSC::jsNumber(static_cast<int>(event.kind)));
  if (event.kind == EventKind::Certificate)
    parts.append(make_string(vm, *event.first));
  else
    parts.append(buffer_or(realm, event.first, JSC::jsNull()));
  parts.append(buffer_or(realm, event.second, JSC::jsUndefined()));
  parts.append(JSC::jsBoolean(event.flag));
  return make_array(realm, parts);
}

// takeEvents() → [[kind, first, second, flag]…]
Value take_events(Call& call, Session& session) {
  JSC::MarkedArgumentBuffer items;
  for (const auto& event : std::exchange(session.events(), {})) items.append(event_array(call.realm(), event));
  return call.value(make_array(call.realm(), items));
}

// flush() → whether JavaScript has something to send
Value flush(Call& call, Session& session) {
  session.flush();
  return call.value(!session.output().empty());
}

Value failure(Call& call, Session& session) { return call.value(session.make_error(call.realm())); }

int progress_of(const Result<Progress>& result) {
  if (!result) return -result.error().number;
  return *result == Progress::Queued ? 1 : 0;
}

auto done_with(Continuation then) {
  return [then = std::move(then)](Result<void> result) mutable { then(net::status_of(result)); };
}

// Sends the encrypted bytes.
int send(Session& session, Continuation done) {
  if (!session.stream()) return kToSend;
  return progress_of(session.send(done_with(std::move(done))));
}

// One piece in slices, so that the kernel has the first while the next is encrypted; several together in whole records.
bool encrypt_all(Session& session, std::span<const std::span<const uint8_t>> pieces) {
  if (pieces.size() == 1) {
    auto rest = pieces[0];
    for (; rest.size() > kSlice; rest = rest.subspan(kSlice)) {
      if (!session.encrypt(rest.first(kSlice))) return false;
      session.flush();
    }
    return session.encrypt(rest);
  }
  std::string record;
  for (auto piece : pieces) {
    while (!piece.empty()) {
      const size_t part = std::min(piece.size(), kRecord - record.size());
      record.append(reinterpret_cast<const char*>(piece.data()), part);
      piece = piece.subspan(part);
      if (record.size() < kRecord) continue;
      if (!session.encrypt(as_bytes(record))) return false;
      record.clear();
    }
  }
  return session.encrypt(as_bytes(record));
}

int write_pieces(Call& call, Session& session, std::span<const std::span<const uint8_t>> pieces, unsigned done) {
  if (!session.can_encrypt()) {
    for (auto piece : pieces) session.held += as_text(piece);
    session.is_holding = true;
    if (!session.stream()) return kWaits;
    session.held_done = Continuation(session.runtime(), call.function(done), kWrite);
    return 1;
  }
  if (!encrypt_all(session, pieces)) return -EPROTO;
  return send(session,
              session.stream() ? Continuation(session.runtime(), call.function(done), kWrite) : Continuation());
}

// writeBytes(view, done), writeMany([view…], done), writeText(text, isLatin1, done) → 0, 1, 2, 3 or errno
Value write_bytes(Call& call, Session& session) {
  const std::span<const uint8_t> piece = call.bytes(0);
  return call.value(write_pieces(call, session, {&piece, 1}, 1));
}

Value write_many(Call& call, Session& session) {
  auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(0));
  if (!list) return call.value(kBadHandle);
  std::vector<std::span<const uint8_t>> pieces;
  for (unsigned i = 0; i < list->length(); i++) pieces.push_back(bytes_of(list->getIndex(call.realm(), i)));
  return call.value(write_pieces(call, session, pieces, 1));
}

Value write_text(Call& call, Session& session) {
  auto text = call.wtf_string(0);
  if (text.is8Bit() && (call.boolean(1) || text.containsOnlyASCII())) {
    const std::span<const uint8_t> piece(reinterpret_cast<const uint8_t*>(text.characters8()), text.length());
    return call.value(write_pieces(call, session, {&piece, 1}, 2));
  }
  auto utf8 = to_utf8(call.realm(), text);
  if (call.failed()) return {};
  const std::span<const uint8_t> piece = as_bytes(utf8);
  return call.value(write_pieces(call, session, {&piece, 1}, 2));
}

// resume(): the write that waited for the handshake. With a stream its function is called by us.
Value resume(Call& call, Session& session) {
  if (!session.is_holding || !session.can_encrypt()) return call.value(0);
  JSC::EnsureStillAliveScope alive(call.self());
  auto text = std::exchange(session.held, {});
  auto done = std::move(session.held_done);
  session.is_holding = false;
  const std::span<const uint8_t> piece = as_bytes(text);
  if (!encrypt_all(session, {&piece, 1})) {
    if (session.stream()) done(-EPROTO);
    return call.value(-EPROTO);
  }
  if (!session.stream()) return call.value(kToSend);
  session.flush();
  done(0);
  return call.value(0);
}

// shutdown(done): the end is told to the peer, then the stream is shut down.
Value shutdown(Call& call, Session& session) {
  session.shut_down();
  session.flush();
  if (!session.stream()) return call.value(kToSend);
  return call.value(progress_of(
      session.stream()->stream().shutdown(done_with(Continuation(session.runtime(), call.function(0), kShutdown)))));
}

Value destroy(Call& call, Session& session) {
  session.destroy();
  return call.undefined();
}

// answerHello(a session to resume or undefined, the protocol chosen or undefined)
Value answer_hello(Call& call, Session& session) {
  OpensslScope scope;
  session.hello = Session::Question::Answered;
  auto bytes = call.bytes(0);
  const unsigned char* at = bytes.data();
  if (!bytes.empty()) session.offered_session.reset(d2i_SSL_SESSION(nullptr, &at, static_cast<long>(bytes.size())));
  if (call.has(1)) session.alpn_answer = call.string(1);
  return call.undefined();
}

// The context's certificate, key and authorities take the place of the first one's.
void use_context(Session& session, SecureContext& context) {
  context.load_roots(session.runtime());
  SSL_set_SSL_CTX(session.ssl(), context.get());
  SSL_set1_verify_cert_store(session.ssl(), SSL_CTX_get_cert_store(context.get()));
  SSL_set_client_CA_list(session.ssl(), SSL_dup_CA_list(SSL_CTX_get_client_CA_list(context.get())));
}

// answerCertificate(context or undefined, OCSP response or undefined)
Value answer_certificate(Call& call, Session& session) {
  OpensslScope scope;
  session.certificate = Session::Question::Answered;
  if (auto* context = context_in(call.at(0))) use_context(session, *context);
  if (call.has(1)) session.ocsp_response = bytes_or_text(call, 1);
  return call.undefined();
}

// setKeyCert(context): its certificate and key, nothing else.
Value set_key_certificate(Call& call, Session& session) {
  OpensslScope scope;
  auto* context = context_in(call.at(0));
  if (context) SSL_set_SSL_CTX(session.ssl(), context->get());
  return call.undefined();
}

// setVerifyMode(requestCert, rejectUnauthorized, context)
Value set_verify_mode(Call& call, Session& session) {
  auto* context = context_in(call.at(2));
  int mode = SSL_VERIFY_NONE;
  if (session.side() == Side::Server && call.boolean(0)) {
    mode = SSL_VERIFY_PEER | (call.boolean(1) ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0);
    if (context) context->load_roots(session.runtime());
  }
  SSL_set_verify(session.ssl(), mode, SSL_get_verify_callback(session.ssl()));
  return call.undefined();
}

// want(what): 'sessions', 'hello', 'certificate', 'keylog', 'alpn', 'psk', 'ocsp', 'trace'
Value want(Call& call, Session& session) {
  auto what = call.string(0);
  if (what == "sessions") session.wants_sessions = true;
  if (what == "hello") session.wants_hello = true;
  if (what == "certificate") session.wants_certificate = true;
  if (what == "psk") install_psk(session);
  if (what == "ocsp") SSL_set_tlsext_status_type(session.ssl(), TLSEXT_STATUSTYPE_ocsp);
  if (what == "alpn") session.uses_alpn_answer = session.wants_hello = true;
  if (what == "keylog") {
    session.wants_keylog = true;
    enable_keylog(SSL_get_SSL_CTX(session.ssl()));
  }
  if (what == "trace") {
    session.trace.reset(BIO_new_fp(stderr, BIO_NOCLOSE | BIO_FP_TEXT));
    SSL_set_msg_callback(session.ssl(), SSL_trace);
    SSL_set_msg_callback_arg(session.ssl(), session.trace.get());
  }
  return call.undefined();
}

Value set_psk_hint(Call& call, Session& session) {
  session.psk_hint = call.string(0);
  return call.value(SSL_use_psk_identity_hint(session.ssl(), session.psk_hint.c_str()) == 1);
}

Value set_servername(Call& call, Session& session) {
  SSL_set_tlsext_host_name(session.ssl(), call.string(0).c_str());
  return call.undefined();
}

// setAlpn(protocols in wire format)
Value set_alpn(Call& call, Session& session) {
  auto bytes = call.bytes(0);
  if (session.side() == Side::Server)
    session.alpn_protocols = as_text(bytes);
  else
    SSL_set_alpn_protos(session.ssl(), bytes.data(), static_cast<unsigned>(bytes.size()));
  return call.undefined();
}

// setSession(DER)
Value set_session(Call& call, Session& session) {
  OpensslScope scope;
  auto text = bytes_or_text(call, 0);
  auto* at = reinterpret_cast<const unsigned char*>(text.data());
  SslSessionPtr known(d2i_SSL_SESSION(nullptr, &at, static_cast<long>(text.size())));
  if (known && SSL_set_session(session.ssl(), known.get()) != 1) return call.error("SSL_set_session error");
  return call.undefined();
}

Value renegotiate(Call& call, Session& session) {
  OpensslScope scope;
  if (SSL_renegotiate(session.ssl()) == 1) return call.undefined();
  return raise_openssl(call);
}

Value set_max_send_fragment(Call& call, Session& session) {
  return call.value(SSL_set_max_send_fragment(session.ssl(), call.int32(0)) == 1);
}

constexpr FunctionSpec kMethods[] = {{"attach", method<Session, open<attach>>, 1},
                                     {"readStart", method<Session, open<read_start, kBadHandle>>, 1},
                                     {"readStop", method<Session, open<read_stop>>, 0},
                                     {"feed", method<Session, open<feed>>, 1},
                                     {"advance", method<Session, open<advance>>, 1},
                                     {"takePlain", method<Session, take_plain>, 0},
                                     {"takeOutput", method<Session, open<take_output>>, 0},
                                     {"takeEvents", method<Session, open<take_events>>, 0},
                                     {"flush", method<Session, open<flush>>, 0},
                                     {"failure", method<Session, failure>, 0},
                                     {"writeBytes", method<Session, open<write_bytes, kBadHandle>>, 2},
                                     {"writeMany", method<Session, open<write_many, kBadHandle>>, 2},
                                     {"writeText", method<Session, open<write_text, kBadHandle>>, 3},
                                     {"resume", method<Session, open<resume>>, 0},
                                     {"shutdown", method<Session, open<shutdown, kBadHandle>>, 1},
                                     {"destroy", method<Session, destroy>, 0},
                                     {"answerHello", method<Session, open<answer_hello>>, 2},
                                     {"answerCertificate", method<Session, open<answer_certificate>>, 2},
                                     {"setKeyCert", method<Session, open<set_key_certificate>>, 1},
                                     {"setVerifyMode", method<Session, open<set_verify_mode>>, 3},
                                     {"want", method<Session, open<want>>, 1},
                                     {"setPskHint", method<Session, open<set_psk_hint>>, 1},
                                     {"setServername", method<Session, open<set_servername>>, 1},
                                     {"setAlpn", method<Session, open<set_alpn>>, 1},
                                     {"setSession", method<Session, open<set_session>>, 1},
                                     {"renegotiate", method<Session, open<renegotiate>>, 0},
                                     {"setMaxSendFragment", method<Session, open<set_max_send_fragment>>, 1}};

constexpr FunctionSpec kFunctions[] = {{"newSession", native<new_session>, 2}};

}  // namespace

constexpr engine::NumberSpec kSessionNumbers[] = {{"kServerPreference", SSL_OP_CIPHER_SERVER_PREFERENCE},
                                                  {"kHandshakeStart", EventKind::HandshakeStart},
                                                  {"kHandshakeDone", EventKind::HandshakeDone},
                                                  {"kHello", EventKind::Hello},
                                                  {"kCertificate", EventKind::Certificate},
                                                  {"kNewSession", EventKind::NewSession},
                                                  {"kKeylog", EventKind::Keylog},
                                                  {"kOcsp", EventKind::Ocsp},
                                                  {"kEvents", kEvents},
                                                  {"kEnd", kEnd},
                                                  {"kFailed", kFailed},
                                                  {"kOutput", kOutput},
                                                  {"kHeld", kHeld},
                                                  {"kInput", kInput},
                                                  {"kMore", kMore},
                                                  {"kToSend", kToSend},
                                                  {"kWaits", kWaits}};

}  // namespace tls

void init_tls(Runtime& runtime, JSC::JSObject* target) {
  openssl_ready();
  std::vector<engine::FunctionSpec> methods(std::begin(tls::kMethods), std::end(tls::kMethods));
  methods.insert(methods.end(), tls::kInfoMethods.begin(), tls::kInfoMethods.end());
  runtime::structure_of<tls::Session>(runtime, methods);
  for (auto functions : {tls::kContextFunctions, tls::kRootFunctions})
    engine::put_functions(runtime.realm(), target, functions);
  engine::put_functions(runtime.realm(), target, tls::kFunctions);
  engine::put_numbers(runtime.realm(), target, tls::kSessionNumbers);
}

}  // namespace rondo::modules
