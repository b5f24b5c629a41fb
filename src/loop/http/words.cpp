// The words of HTTP: methods, tokens, names of errors.
#include <array>
#include <cstddef>

#include "rondo/http.h"

namespace rondo::http {
namespace {

constexpr std::array<std::string_view, kMethodCount> kMethods = {
    "DELETE",      "GET",   "HEAD",   "POST",       "PUT",       "CONNECT", "OPTIONS",  "TRACE",  "COPY",
    "LOCK",        "MKCOL", "MOVE",   "PROPFIND",   "PROPPATCH", "SEARCH",  "UNLOCK",   "BIND",   "REBIND",
    "UNBIND",      "ACL",   "REPORT", "MKACTIVITY", "CHECKOUT",  "MERGE",   "M-SEARCH", "NOTIFY", "SUBSCRIBE",
    "UNSUBSCRIBE", "PATCH", "PURGE",  "MKCALENDAR", "LINK",      "UNLINK",  "SOURCE",   "QUERY"};

constexpr std::array<const char*, 19> kErrors = {"HPE_OK",
                                                 "HPE_INVALID_METHOD",
                                                 "HPE_INVALID_URL",
                                                 "HPE_INVALID_CONSTANT",
                                                 "HPE_INVALID_VERSION",
                                                 "HPE_INVALID_STATUS",
                                                 "HPE_INVALID_HEADER_TOKEN",
                                                 "HPE_UNEXPECTED_SPACE",
                                                 "HPE_CR_EXPECTED",
                                                 "HPE_LF_EXPECTED",
                                                 "HPE_HEADER_OVERFLOW",
                                                 "HPE_UNEXPECTED_CONTENT_LENGTH",
                                                 "HPE_INVALID_CONTENT_LENGTH",
                                                 "HPE_INVALID_TRANSFER_ENCODING",
                                                 "HPE_INVALID_CHUNK_SIZE",
                                                 "HPE_CHUNK_EXTENSIONS_OVERFLOW",
                                                 "HPE_STRICT",
                                                 "HPE_CLOSED_CONNECTION",
                                                 "HPE_INVALID_EOF_STATE"};
static_assert(kErrors.size() == static_cast<std::size_t>(Error::InvalidEofState) + 1);

}  // namespace

const char* name_of(Error error) { return kErrors[static_cast<std::size_t>(error)]; }

std::string_view name_of(Method method) { return kMethods[static_cast<std::size_t>(method)]; }

std::optional<Method> method_of(std::string_view name) {
  if (name == "GET") return Method::Get;
  if (name == "POST") return Method::Post;
  for (std::size_t i = 0; i < kMethods.size(); i++)
    if (kMethods[i] == name) return static_cast<Method>(i);
  return std::nullopt;
}

}  // namespace rondo::http
