// See uv_loop.h; and libuv's functions about the loop, time and errors.
#include "modules/napi/uv_loop.h"

#include "runtime/addon_table.h"

#include <cerrno>
#include <cstring>
#include <thread>

#include <arpa/inet.h>
#include <unistd.h>

using namespace rondo::modules::napi;

napi_status napi_get_uv_event_loop(node_api_basic_env env, uv_loop_t** result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  *result = &env->addons.uv_loop().loop;
  return env->ok();
}

extern "C" {

uv_loop_t* uv_default_loop() { return static_cast<uv_loop_t*>(rondo::runtime::AddonTable::get().main_uv_loop()); }
int uv_loop_alive(const uv_loop_t* loop) { return addons_of(const_cast<uv_loop_t*>(loop)).runtime().loop().alive(); }
void* uv_loop_get_data(const uv_loop_t* loop) { return loop->data; }
void uv_loop_set_data(uv_loop_t* loop, void* data) { loop->data = data; }
uint64_t uv_now(const uv_loop_t* loop) {
  return static_cast<uint64_t>(addons_of(const_cast<uv_loop_t*>(loop)).runtime().loop().now()) / 1'000'000;
}
void uv_update_time(uv_loop_t* loop) { addons_of(loop).runtime().loop().update_time(); }
uint64_t uv_hrtime() { return static_cast<uint64_t>(rondo::steady_now()); }
void uv_sleep(unsigned milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

uv_pid_t uv_os_getpid() { return getpid(); }
uv_pid_t uv_os_getppid() { return getppid(); }

int uv_ip4_addr(const char* ip, int port, sockaddr_in* address) {
  *address = {};
  address->sin_family = AF_INET;
  address->sin_port = htons(static_cast<uint16_t>(port));
  return inet_pton(AF_INET, ip, &address->sin_addr) == 1 ? 0 : UV_EINVAL;
}
int uv_ip4_name(const sockaddr_in* address, char* into, size_t size) {
  return inet_ntop(AF_INET, &address->sin_addr, into, static_cast<socklen_t>(size)) ? 0 : -errno;
}
int uv_ip6_name(const sockaddr_in6* address, char* into, size_t size) {
  return inet_ntop(AF_INET6, &address->sin6_addr, into, static_cast<socklen_t>(size)) ? 0 : -errno;
}

unsigned uv_version() { return UV_VERSION_HEX; }
const char* uv_version_string() {
  static const std::string kText = fmt::format("{}.{}.{}", UV_VERSION_MAJOR, UV_VERSION_MINOR, UV_VERSION_PATCH);
  return kText.c_str();
}

size_t uv_handle_size(uv_handle_type type) {
  switch (type) {
#define SIZE(upper, lower) \
  case UV_##upper:         \
    return sizeof(uv_##lower##_t);
    UV_HANDLE_TYPE_MAP(SIZE)
#undef SIZE
    default:
      return static_cast<size_t>(-1);
  }
}
size_t uv_req_size(uv_req_type type) {
  switch (type) {
#define SIZE(upper, lower) \
  case UV_##upper:         \
    return sizeof(uv_##lower##_t);
    UV_REQ_TYPE_MAP(SIZE)
#undef SIZE
    default:
      return static_cast<size_t>(-1);
  }
}
uv_buf_t uv_buf_init(char* base, unsigned length) { return {base, length}; }

const char* uv_err_name(int error) {
  switch (error) {
#define NAME(name, text) \
  case UV_##name:        \
    return #name;
    UV_ERRNO_MAP(NAME)
#undef NAME
    default:
      return "UNKNOWN";
  }
}
const char* uv_strerror(int error) {
  switch (error) {
#define TEXT(name, text) \
  case UV_##name:        \
    return text;
    UV_ERRNO_MAP(TEXT)
#undef TEXT
    default:
      return "Unknown system error";
  }
}
char* uv_err_name_r(int error, char* into, size_t size) {
  snprintf(into, size, "%s", uv_err_name(error));
  return into;
}
char* uv_strerror_r(int error, char* into, size_t size) {
  snprintf(into, size, "%s", uv_strerror(error));
  return into;
}
int uv_translate_sys_error(int error) { return error <= 0 ? error : -error; }

}  // extern "C"
