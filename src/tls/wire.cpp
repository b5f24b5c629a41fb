// See wire.h.
#include "tls/wire.h"

#include <algorithm>
#include <cstring>

namespace rondo::tls {
namespace {

int read_bio(BIO* bio, char* out, int size) {
  BIO_clear_retry_flags(bio);
  const std::size_t taken =
      static_cast<Wire*>(BIO_get_data(bio))->take_input(out, static_cast<std::size_t>(std::max(0, size)));
  if (taken == 0) BIO_set_retry_read(bio);
  return taken == 0 ? -1 : static_cast<int>(taken);
}

int write_bio(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  if (size > 0) static_cast<Wire*>(BIO_get_data(bio))->output().append(bytes, static_cast<std::size_t>(size));
  return size;
}

long control_bio(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

BIO_METHOD* make_method() {
  BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "rondo wire");
  BIO_meth_set_read(method, read_bio);
  BIO_meth_set_write(method, write_bio);
  BIO_meth_set_ctrl(method, control_bio);
  return method;
}

}  // namespace

BIO* Wire::new_bio() {
  static BIO_METHOD* const method = make_method();
  BIO* bio = BIO_new(method);
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  return bio;
}

std::size_t Wire::take_input(char* out, std::size_t size) {
  std::size_t taken = 0;
  if (kept_at_ < kept_.size()) {
    taken = std::min(size, kept_.size() - kept_at_);
    std::memcpy(out, kept_.data() + kept_at_, taken);
    kept_at_ += taken;
    if (kept_at_ == kept_.size()) {
      kept_.clear();
      kept_at_ = 0;
    }
  }
  const std::size_t more = std::min(size - taken, lent_.size());
  if (more > 0) {
    std::memcpy(out + taken, lent_.data(), more);
    lent_ = lent_.subspan(more);
  }
  return taken + more;
}

}  // namespace rondo::tls
