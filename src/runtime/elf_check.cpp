// See elf_check.h. The file is anything at all: every offset is checked before it is followed.
#include "runtime/elf_check.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <span>
#include <string_view>

namespace rondo::runtime {

namespace {

#ifdef __aarch64__
constexpr Elf64_Half kMachine = EM_AARCH64;
#else
constexpr Elf64_Half kMachine = EM_X86_64;
#endif

class MappedFile {
 public:
  explicit MappedFile(const char* file) {
    const int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    struct stat status{};
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      const auto size = static_cast<size_t>(status.st_size);
      void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (memory != MAP_FAILED) bytes_ = {static_cast<const char*>(memory), size};
    }
    close(descriptor);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }

  // Empty where the file does not have so much.
  std::span<const char> at(uint64_t offset, uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) return {};
    return bytes_.subspan(offset, size);
  }
  template <class T>
  bool read(uint64_t offset, T& into) const {
    const auto from = at(offset, sizeof(T));
    if (from.empty()) return false;
    memcpy(&into, from.data(), sizeof(T));
    return true;
  }

 private:
  std::span<const char> bytes_;
};

bool is_of_engine(std::string_view name) {
  return name.starts_with("_ZN2v8") || name.starts_with("_ZNK2v8") || name.starts_with("_ZN4node") ||
         name == "node_module_register";
}

// A function that the program itself gives to addons.
bool is_of_host(std::string_view name) {
  return name.starts_with("uv_") || name.starts_with("napi_") || name.starts_with("node_api_");
}

// Up to the next zero; empty when there is none.
std::string_view text_at(std::span<const char> texts, uint64_t offset) {
  if (offset >= texts.size()) return {};
  const char* start = texts.data() + offset;
  const auto* end = static_cast<const char*>(memchr(start, 0, texts.size() - offset));
  return end ? std::string_view(start, static_cast<size_t>(end - start)) : std::string_view();
}

std::string missing_in(const MappedFile& file, const Elf64_Shdr& symbols, const Elf64_Shdr& names) {
  const auto texts = file.at(names.sh_offset, names.sh_size);
  // An addon may bring a libuv of its own.
  const bool has_libuv = std::string_view(texts.data(), texts.size()).contains("libuv.so");
  std::string other;  // says less than a name of V8
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    if (!file.read(symbols.sh_offset + at, symbol)) break;
    if (symbol.st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL) continue;
    const auto name = text_at(texts, symbol.st_name);
    if (is_of_engine(name) && name.starts_with("_Z")) return std::string(name);
    const bool is_missing = is_of_host(name) && !has_libuv && !dlsym(RTLD_DEFAULT, name.data());
    if (is_of_engine(name) || (is_missing && other.empty())) other = name;
  }
  return other;
}

std::string missing_symbol(const MappedFile& file, const Elf64_Ehdr& header) {
  if (header.e_shentsize != sizeof(Elf64_Shdr)) return {};
  const auto section = [&](uint64_t index, Elf64_Shdr& into) {
    return index < header.e_shnum && file.read(header.e_shoff + index * sizeof(Elf64_Shdr), into);
  };
  for (uint64_t i = 0; i < header.e_shnum; i++) {
    Elf64_Shdr symbols, names;
    if (!section(i, symbols) || symbols.sh_type != SHT_DYNSYM || !section(symbols.sh_link, names)) continue;
    return missing_in(file, symbols, names);
  }
  return {};
}

// Whether the file ends before one of the parts that are mapped.
bool is_cut(const MappedFile& file, const Elf64_Ehdr& header) {
  if (header.e_phentsize != sizeof(Elf64_Phdr)) return false;
  for (uint64_t i = 0; i < header.e_phnum; i++) {
    Elf64_Phdr part;
    if (!file.read(header.e_phoff + i * sizeof(Elf64_Phdr), part)) return true;
    if (part.p_type == PT_LOAD && part.p_filesz > 0 && file.at(part.p_offset, part.p_filesz).empty()) return true;
  }
  return false;
}

}  // namespace

std::string why_unloadable(const char* path) {
  const MappedFile file(path);
  Elf64_Ehdr header;
  // The dynamic linker tells what it is instead.
  if (!file.read(0, header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) return {};
  if (header.e_machine != kMachine) {
    const char* name = header.e_machine == EM_AARCH64 ? "arm64" : header.e_machine == EM_X86_64 ? "x64" : nullptr;
    return "built for another processor: " + (name ? name : "ELF machine " + std::to_string(header.e_machine));
  }
  if (is_cut(file, header)) return "file too short: its end is missing";
  const auto symbol = missing_symbol(file, header);
  return symbol.empty() ? std::string() : "undefined symbol: " + symbol;
}

}  // namespace rondo::runtime
