// rondo_bake: a build step. Compiles every embedded library file to bytecode and writes a blob and its index
// (`id<TAB>offset<TAB>size` a line), which the second embedding stage links into rondo. With --pack it does the same for
// the files that documents are made of (runtime/html/html_pack.h), and writes them and their bytecode as one file.
#include "engine/core/source.h"
#include "engine/core/vm.h"
#include "runtime/builtins.h"
#include "runtime/html/html_pack.h"

#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

using rondo::runtime::EmbeddedSource;

constexpr size_t kAlignment = 16;  // the engine casts into the blob

// Parsing a large package lazily costs less than carrying its bytecode, several times its size, in every binary.
constexpr size_t kLargestBaked = 200 * 1024;

bool is_baked(const EmbeddedSource& source) { return source.source.size() <= kLargestBaked; }

// Aligned and ended by a zero byte at least.
void pad(std::string& bytes) { bytes.resize((bytes.size() / kAlignment + 1) * kAlignment); }

std::string bake(rondo::engine::Vm& vm, const EmbeddedSource& source) {
  const auto url = rondo::runtime::builtin_url(source.id);
  auto code = rondo::engine::make_bytecode(vm.get(), {source.source, source.is_ascii, url});
  if (!code.empty()) return code;
  fprintf(stderr, "rondo_bake: %s does not compile\n", std::string(source.id).c_str());
  exit(1);
}

bool is_of_start(const EmbeddedSource& source) {
  return std::ranges::find(rondo::runtime::kStartFiles, source.id) != std::end(rondo::runtime::kStartFiles);
}

// The text in which tools/embed has laid them side by side.
std::string bake_start(rondo::engine::Vm& vm) {
  const auto all = rondo::runtime::embedded_sources();
  const auto& ids = rondo::runtime::kStartFiles;
  const auto text_of = [&](std::string_view id) { return std::ranges::find(all, id, &EmbeddedSource::id)->source; };
  const auto last = text_of(std::span(ids).back());
  const std::string_view text(text_of(ids[0]).data(), last.data() + last.size());
  auto code = rondo::engine::make_bytecode(vm.get(), {text, true, rondo::runtime::kStartUrl});
  if (!code.empty()) return code;
  fprintf(stderr, "rondo_bake: the files of the start do not compile\n");
  exit(1);
}

int bake_library(const char* index_name, const char* blob_name) {
  rondo::engine::Vm vm;
  std::ofstream index(index_name), blob(blob_name, std::ios::binary);
  size_t offset = 0;
  for (const auto& source : rondo::runtime::embedded_sources()) {
    const bool is_first = source.id == rondo::runtime::kStartFiles[0];
    if (!is_baked(source) || (is_of_start(source) && !is_first)) continue;
    auto code = is_first ? bake_start(vm) : bake(vm, source);
    index << source.id << '\t' << offset << '\t' << code.size() << '\n';
    pad(code);
    blob << code;
    offset += code.size();
  }
  index.flush();
  blob.flush();
  return index && blob ? 0 : 1;
}

int bake_pack(const char* sources, const char* output) {
  const auto pack = rondo::runtime::HtmlPack::open(sources);
  if (!pack) {
    fprintf(stderr, "rondo_bake: %s: %s\n", sources, pack.error().message());
    return 1;
  }
  rondo::engine::Vm vm;
  std::string index, pieces;
  const auto add = [&](std::string_view bytes) {
    index += '\t' + std::to_string(bytes.empty() ? 0 : pieces.size()) + '\t' + std::to_string(bytes.size());
    pieces += bytes;
    pad(pieces);
  };
  for (const auto& source : pack->sources()) {
    index += source.id;
    add(source.source);
    add(is_baked(source) ? bake(vm, source) : std::string());
    index += '\n';
  }
  index += '\n';
  pad(index);
  std::ofstream file(output, std::ios::binary);
  file << index << pieces;
  return file.flush() ? 0 : 1;
}

// The engine writes memory that it never set, and tables ordered by addresses. Two builds give the same bytes when new memory is zero
// (the C library's allocator with MALLOC_PERTURB_) and lies at the same place: the program starts itself again that way. Where the
// kernel forbids it the bytes are right all the same.
void start_reproducibly(char** argv) {
  if (getenv("MALLOC_PERTURB_")) return;
  setenv("Malloc", "1", 1);
  setenv("MALLOC_PERTURB_", "255", 1);  // its complement is the byte
  personality(ADDR_NO_RANDOMIZE);
  execv("/proc/self/exe", argv);
}

}  // namespace

int main(int argc, char** argv) {
  start_reproducibly(argv);
  if (argc == 4 && std::string_view(argv[1]) == "--pack") return bake_pack(argv[2], argv[3]);
  if (argc == 3) return bake_library(argv[1], argv[2]);
  fprintf(stderr, "usage: rondo_bake INDEX BLOB | rondo_bake --pack SOURCES PACK\n");
  return 2;
}
