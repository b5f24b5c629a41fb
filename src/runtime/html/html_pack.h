// The packages behind documents (jsdom and its dependencies): share/rondo/html.pack, made by tools/html_pack.js and rondo_bake. The file is
// mapped, and read only where something is used. Its beginning is an index, lines of `id, offset, size, bytecode's offset, its size` with
// tabs between, sorted by id, ended by an empty line and filled up with zero bytes, one at least, to a multiple of 16; offsets count from
// there.
#pragma once

#include "runtime/embedded.h"

#include "rondo/base/result.h"

#include <string>
#include <vector>

namespace rondo::runtime {

class HtmlPack {
 public:
  // The mapping lasts as long as the process: the engine keeps pointers into it.
  [[nodiscard]] static Result<HtmlPack> open(const std::string& path);

  const EmbeddedSource* find(std::string_view id) const;
  const std::vector<EmbeddedSource>& sources() const { return sources_; }

 private:
  std::vector<EmbeddedSource> sources_;
};

}  // namespace rondo::runtime
