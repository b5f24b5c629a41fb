// A window's document as lib/html holds it: a cell. The loop's own document (rondo/html/document.h) goes when it is discarded or the loop ends; the
// cell stays while JavaScript keeps it, and leads nowhere then.
#pragma once

#include "engine/core/native_object.h"

#include "rondo/html.h"

namespace rondo::runtime {

class DocumentObject final : public engine::NativeObject {
 public:
  explicit DocumentObject(html::Document& document) : document_(&document) {}
  html::Document* document() const { return document_; }  // null when it has gone
  void clear() { document_ = nullptr; }

 private:
  html::Document* document_;
};

}  // namespace rondo::runtime
