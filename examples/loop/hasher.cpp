// Hashes of files (FNV-1a, 64 bits), computed on the pool's threads while the loop reads on: at most four files at a time, in pieces,
// and printed in the order of the arguments.
//
//   example_hasher FILE...
#include <fcntl.h>
#include <rondo/rondo.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kPiece = 256 * 1024;
constexpr std::size_t kFilesAtOnce = 4;

struct Outcome {
  std::uint64_t hash = 14695981039346656037u;
  rondo::Error error;
};

std::uint64_t add(std::uint64_t hash, const std::string& bytes) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return hash;
}

rondo::Coroutine<> hash_file(rondo::Loop& loop, std::string path, Outcome& outcome, rondo::Channel<int>& permits) {
  const rondo::Result<int> permit = co_await permits.pop();
  rondo::FileRequest open;
  open.open(path, O_RDONLY);
  const rondo::Result<std::int64_t> opened = co_await rondo::perform(loop, open);
  if (!opened) {
    outcome.error = opened.error();
  } else {
    const rondo::UniqueFd file(static_cast<int>(*opened));
    for (std::int64_t at = 0;;) {
      rondo::Result<std::string> piece = co_await rondo::read_at(loop, file.get(), kPiece, at);
      if (!piece) outcome.error = piece.error();
      if (!piece || piece->empty()) break;
      at += static_cast<std::int64_t>(piece->size());
      const rondo::Result<std::uint64_t> hash =
          co_await rondo::on_pool(loop, [&] { return add(outcome.hash, *piece); });
      if (hash) outcome.hash = *hash;
    }
  }
  (void)co_await permits.push(permit.value_or(0));
}

rondo::Coroutine<int> run(rondo::Loop& loop, std::vector<std::string> paths) {
  std::vector<Outcome> outcomes(paths.size());
  rondo::Channel<int> permits(loop, kFilesAtOnce);
  for (std::size_t i = 0; i < kFilesAtOnce; i++) (void)permits.try_push(0);
  rondo::TaskGroup files(loop);
  for (std::size_t i = 0; i < paths.size(); i++) files.spawn(hash_file(loop, paths[i], outcomes[i], permits));
  (void)co_await files.join();
  int status = 0;
  for (std::size_t i = 0; i < paths.size(); i++) {
    if (outcomes[i].error.number) {
      std::printf("%s: %s\n", paths[i].c_str(), outcomes[i].error.name());
      status = 1;
    } else {
      std::printf("%016" PRIx64 "  %s\n", outcomes[i].hash, paths[i].c_str());
    }
  }
  co_return status;
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  return rondo::sync_wait(loop, run(loop, std::vector<std::string>(argv + 1, argv + argc)));
}
