// rondo_bake: a build step. Compiles every embedded library file to bytecode and writes a blob and its index
// (`id<TAB>offset<TAB>size` a line), which the second embedding stage links into rondo.
#include "engine/core/source.h"
#include "engine/core/vm.h"
#include "runtime/builtins.h"

#include <cstdio>
#include <fstream>

namespace {

constexpr size_t kAlignment = 16;  // the engine casts into the blob

// Parsing a large package lazily costs less than carrying its bytecode, several times its size, in every binary.
constexpr size_t kLargestBaked = 200 * 1024;

bool is_baked(const rondo::runtime::EmbeddedSource& source) { return source.source.size() <= kLargestBaked; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: rondo_bake INDEX BLOB\n");
    return 2;
  }
  rondo::engine::Vm vm;
  std::ofstream index(argv[1]), blob(argv[2], std::ios::binary);
  size_t offset = 0;
  for (const auto& source : rondo::runtime::embedded_sources()) {
    if (!is_baked(source)) continue;
    const auto url = rondo::runtime::builtin_url(source.id);
    auto code = rondo::engine::make_bytecode(vm.get(), {source.source, source.is_ascii, url});
    if (code.empty()) {
      fprintf(stderr, "rondo_bake: %s does not compile\n", std::string(source.id).c_str());
      return 1;
    }
    index << source.id << '\t' << offset << '\t' << code.size() << '\n';
    code.resize((code.size() + kAlignment - 1) / kAlignment * kAlignment);
    blob << code;
    offset += code.size();
  }
  index.flush();
  blob.flush();
  return index && blob ? 0 : 1;
}
