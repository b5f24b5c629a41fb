// Host tool of the build: packs JavaScript sources, wrapped as functions, and bytecode if given, into a blob and a C++ table.
// It knows nothing of what the files mean. Called by cmake/embed.cmake only.
//
//   rondo_embed LIST BASE [BYTECODE_INDEX BYTECODE_BLOB]
//
// LIST has `id<TAB>path` lines. BYTECODE_INDEX has `id<TAB>offset<TAB>size` lines that point into BYTECODE_BLOB.
// Writes BASE.blob (the bytes), BASE.S (takes the blob into the object file) and BASE.cpp (the table, sorted by id).
// Every piece starts at a multiple of 16 and is followed by a zero byte.
#include "runtime/embedded.h"

#include "undici_seams.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Piece {
  std::size_t offset = 0;
  std::size_t size = 0;
};

struct Entry {
  std::string id;
  Piece source;
  bool is_ascii = false;
  Piece bytecode;
};

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::cerr << "rondo_embed: cannot read " << path << "\n";
    std::exit(1);
  }
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  if (!out.flush()) {
    std::cerr << "rondo_embed: cannot write " << path << "\n";
    std::exit(1);
  }
}

Piece append(std::string& blob, const std::string& bytes) {
  blob.resize((blob.size() + 15) / 16 * 16, '\0');
  const Piece piece{blob.size(), bytes.size()};
  blob += bytes;
  blob += '\0';
  return piece;
}

std::string wrapped(const std::string& id, std::string text) {
  if (text.starts_with("#!")) text.replace(0, 2, "//");
  return std::string(rondo::runtime::kWrapperHead) + text + std::string(rondo::runtime::kWrapperTail);
}

// Relative requires of a package's file become ids, since a library file knows no folder.
std::string with_ids(const std::string& id, const std::string& text, const std::set<std::string>& ids) {
  constexpr std::string_view kRequire = "require(";
  const std::filesystem::path folder = std::filesystem::path(id).parent_path();
  std::string out;
  std::size_t rest = 0;
  for (std::size_t at = 0; (at = text.find(kRequire, at)) != std::string::npos;) {
    const std::size_t quote = at + kRequire.size();
    const std::size_t end = text.find(text[quote], quote + 1);
    at = quote;
    const bool is_relative = (text[quote] == '\'' || text[quote] == '"') && text[quote + 1] == '.';
    if (!is_relative || end == std::string::npos || text[end + 1] != ')') continue;
    std::string target = (folder / text.substr(quote + 1, end - quote - 1)).lexically_normal().string();
    if (target.ends_with(".js")) target.resize(target.size() - 3);
    if (!ids.contains(target)) target += "/index";
    if (!ids.contains(target)) {
      std::cerr << "rondo_embed: " << id << " requires " << target << ", which is not embedded\n";
      std::exit(1);
    }
    out.append(text, rest, quote - rest).append("'").append(target).append("')");
    rest = at = end + 2;
  }
  out.append(text, rest);
  return out;
}

// Data is parsed when it is asked for, which is quicker than running it as the literal it would be.
std::string parsed(const std::string& json) {
  std::string out = "module.exports = JSON.parse('";
  for (char c : json) {
    if (c == '\\' || c == '\'') out += '\\';
    if (c != '\n') out += c;
  }
  return out + "');";
}

// What of a package's file is said differently here. A seam that fits nowhere, or twice, is a new version of the package that
// somebody has to look at.
std::string with_seams(const std::string& id, std::string text) {
  for (const rondo::tools::Seam& seam : rondo::tools::kUndiciSeams) {
    if (seam.id != id) continue;
    const auto at = text.find(seam.before);
    const auto end = seam.until.empty() ? at + seam.before.size() : text.find(seam.until, at);
    if (at == std::string::npos || end == std::string::npos || text.find(seam.before, at + 1) != std::string::npos) {
      std::cerr << "rondo_embed: a seam of " << id << " does not fit exactly once:\n" << seam.before << "\n";
      std::exit(1);
    }
    text.replace(at, end - at, seam.after);
  }
  return text;
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The files of every start lie side by side in one text (see kStartFiles); they are taken out of `paths`.
void pack_start(std::map<std::string, std::string>& paths, std::vector<Entry>& entries, std::string& blob) {
  append(blob, "");
  for (const auto id : rondo::runtime::kStartFiles) {
    const auto found = paths.find(std::string(id));
    const std::string text = found == paths.end() ? "" : wrapped(found->first, read_file(found->second));
    if (text.empty() || !is_ascii(text)) {
      std::cerr << "rondo_embed: " << id << " of kStartFiles is missing, or is not ASCII\n";
      std::exit(1);
    }
    if (id != rondo::runtime::kStartFiles[0]) blob += rondo::runtime::kStartSeparator;
    entries.push_back({found->first, {blob.size(), text.size()}, true, {}});
    blob += text;
    paths.erase(found);
  }
  blob += '\0';
}

std::vector<Entry> pack_sources(const std::string& list_path, std::string& blob) {
  std::map<std::string, std::string> paths;
  std::set<std::string> ids;
  std::istringstream list(read_file(list_path));
  for (std::string line; std::getline(list, line);) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos) continue;
    paths[line.substr(0, tab)] = line.substr(tab + 1);
    ids.insert(line.substr(0, tab));
  }
  std::vector<Entry> entries;
  pack_start(paths, entries, blob);
  for (const auto& [id, path] : paths) {
    std::string text = read_file(path);
    if (path.ends_with(".json"))
      text = parsed(text);
    else if (id.starts_with("undici/") || id.starts_with("tr46/"))
      text = with_ids(id, with_seams(id, std::move(text)), ids);
    text = wrapped(id, std::move(text));
    entries.push_back({id, append(blob, text), is_ascii(text), {}});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
  return entries;
}

void pack_bytecode(std::vector<Entry>& entries, const std::string& index_path, const std::string& blob_path,
                   std::string& blob) {
  const std::string bytecode = read_file(blob_path);
  std::map<std::string, std::string> by_id;
  std::istringstream index(read_file(index_path));
  for (std::string line; std::getline(index, line);) {
    std::istringstream fields(line);
    std::string id;
    std::size_t offset = 0;
    std::size_t size = 0;
    if (std::getline(fields, id, '\t') && fields >> offset >> size && offset + size <= bytecode.size())
      by_id[id] = bytecode.substr(offset, size);
  }
  for (Entry& entry : entries) {
    if (const auto found = by_id.find(entry.id); found != by_id.end()) entry.bytecode = append(blob, found->second);
  }
}

std::string view(const Piece& piece) {
  if (piece.size == 0) return "{}";
  return "{rondo_embedded_blob + " + std::to_string(piece.offset) + ", " + std::to_string(piece.size) + "}";
}

std::string table_source(const std::vector<Entry>& entries) {
  std::ostringstream out;
  out << "// Made by tools/embed.cpp.\n#include \"runtime/embedded.h\"\n\n"
         "extern \"C\" const char rondo_embedded_blob[];\n\nnamespace rondo::runtime {\n\n";
  if (!entries.empty()) {
    out << "static const EmbeddedSource kSources[] = {\n";
    for (const Entry& entry : entries)
      out << "    {\"" << entry.id << "\", " << view(entry.source) << ", " << (entry.is_ascii ? "true" : "false")
          << ", " << view(entry.bytecode) << "},\n";
    out << "};\n\n";
  }
  out << "std::span<const EmbeddedSource> embedded_sources() { return " << (entries.empty() ? "{}" : "kSources")
      << "; }\n\n}  // namespace rondo::runtime\n";
  return out.str();
}

std::string assembly(const std::string& blob_path) {
  return "    .section .rodata.rondo_embedded, \"a\"\n    .global rondo_embedded_blob\n    .balign 16\n"
         "rondo_embedded_blob:\n    .incbin \"" +
         blob_path + "\"\n    .byte 0\n    .section .note.GNU-stack, \"\", %progbits\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) {
    std::cerr << "usage: rondo_embed LIST BASE [BYTECODE_INDEX BYTECODE_BLOB]\n";
    return 2;
  }
  const std::string base = argv[2];
  std::string blob;
  std::vector<Entry> entries = pack_sources(argv[1], blob);
  if (argc == 5) pack_bytecode(entries, argv[3], argv[4], blob);
  write_file(base + ".blob", blob);
  write_file(base + ".S", assembly(base + ".blob"));
  write_file(base + ".cpp", table_source(entries));
  return 0;
}
