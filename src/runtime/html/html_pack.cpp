// See html_pack.h.
#include "runtime/html/html_pack.h"

#include "rondo/base/unique_fd.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

namespace rondo::runtime {

namespace {

constexpr size_t kAlignment = 16;

Result<std::string_view> map_file(const std::string& path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts{};
  if (!file || fstat(file.get(), &facts) != 0) return last_failure();
  const auto size = static_cast<size_t>(facts.st_size);
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) return last_failure();
  return std::string_view(static_cast<const char*>(memory), size);
}

// The next field of a line, and what follows its separator.
std::string_view take(std::string_view& line) {
  const auto end = std::min(line.find('\t'), line.size());
  const auto field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

size_t number(std::string_view field) {
  size_t value = 0;
  std::from_chars(field.data(), field.data() + field.size(), value);
  return value;
}

}  // namespace

Result<HtmlPack> HtmlPack::open(const std::string& path) {
  const auto mapped = map_file(path);
  if (!mapped) return std::unexpected(mapped.error());
  const auto end = mapped->find("\n\n");
  if (end == std::string_view::npos) return failure(EINVAL);
  const auto pieces = mapped->substr(std::min(((end + 2) / kAlignment + 1) * kAlignment, mapped->size()));
  HtmlPack pack;
  for (auto index = mapped->substr(0, end + 1); !index.empty();) {
    const auto line_end = index.find('\n');
    auto line = index.substr(0, line_end);
    index.remove_prefix(line_end + 1);
    const auto id = take(line);
    size_t place[4];
    for (auto& value : place) value = number(take(line));
    if (place[0] + place[1] > pieces.size() || place[2] + place[3] > pieces.size()) return failure(EINVAL);
    pack.sources_.push_back({id, pieces.substr(place[0], place[1]), true,
                             place[3] ? pieces.substr(place[2], place[3]) : std::string_view()});
  }
  return pack;
}

const EmbeddedSource* HtmlPack::find(std::string_view id) const {
  const auto found = std::ranges::lower_bound(sources_, id, {}, &EmbeddedSource::id);
  return found == sources_.end() || found->id != id ? nullptr : &*found;
}

}  // namespace rondo::runtime
