// See link_error.h.
#include "engine/errors/link_error.h"

#include "engine/core/realm.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/ScriptExecutable.h>
#include <wtf/text/StringConcatenate.h>

namespace rondo::engine {

namespace {

using WTF::StringView;

// The text between the quotes that follow `start`; null when there are none.
StringView quoted_after(StringView text, StringView start) {
  size_t at = text.find(start);
  if (at == WTF::notFound) return {};
  size_t begin = at + start.length();
  size_t end = text.find('\'', begin);
  return end == WTF::notFound ? StringView() : text.substring(begin, end - begin);
}

// The same up to the last quote of the text: the names of files may have some.
StringView quoted_last(StringView text, StringView start) {
  const size_t at = text.find(start);
  const size_t end = text.reverseFind('\'');
  if (at == WTF::notFound || end == WTF::notFound || end < at + start.length()) return {};
  const auto begin = static_cast<unsigned>(at) + start.length();
  return text.substring(begin, static_cast<unsigned>(end) - begin);
}

WTF::String described(JSC::JSGlobalObject* global, StringView name, StringView key, WTF::ASCIILiteral what) {
  auto* realm = Realm::main(global);
  auto* hook = realm ? realm->hook(Hook::MissingExport) : nullptr;
  if (!hook) return {};
  auto& vm = global->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsString(vm, name.toString()));
  arguments.append(JSC::jsString(vm, key.toString()));
  arguments.append(JSC::jsString(vm, WTF::String(what)));
  Value text = JSC::call(global, hook, arguments, "module hook"_s);
  if (scope.exception()) {
    scope.clearException();
    return {};
  }
  return text.isString() ? WTF::String(JSC::asString(text)->value(global)) : WTF::String();
}

}  // namespace

WTF::String module_scope_words(JSC::JSGlobalObject* realm, StringView name) {
  if (name != "require"_s && name != "module"_s && name != "exports"_s && name != "__filename"_s &&
      name != "__dirname"_s)
    return {};
  WTF::Vector<JSC::StackFrame> frames;
  realm->vm().interpreter.getStackTrace(realm, frames, 0, 1);
  auto* block = frames.isEmpty() ? nullptr : frames[0].codeBlock();
  if (!block || block->codeType() != JSC::ModuleCode) return {};
  auto key = block->ownerExecutable()->source().provider()->sourceURL();
  return described(realm, name, StringView(key), "scope"_s);
}

JSC::JSObject* link_error(JSC::JSGlobalObject* realm, const WTF::String& message) {
  StringView text = message;
  bool is_import = text.startsWith("Import named '"_s);
  const bool is_default = text.startsWith("Missing 'default' import in module '"_s);
  if (!is_import && !is_default && !text.startsWith("Indirectly exported binding name '"_s)) return nullptr;
  auto name = quoted_after(text, "name '"_s);
  if (is_import) name = quoted_after(text, "Import named '"_s);
  if (is_default) name = "default"_s;
  auto key = is_import || is_default ? quoted_last(text, "module '"_s) : quoted_after(text, "module '"_s);
  auto words = described(realm, name, key, text.contains("ambiguous"_s) ? "ambiguous"_s : "missing"_s);
  // Behind a zero character stands the importer's place, which goes before the stack as in Node.
  const size_t end = words.isNull() ? WTF::notFound : words.find(UChar(0));
  auto place = end == WTF::notFound ? StringView() : StringView(words).substring(static_cast<unsigned>(end) + 1);
  auto said = words.isNull() ? message : words.left(static_cast<unsigned>(std::min<size_t>(end, words.length())));
  auto* error = JSC::createSyntaxError(realm, said);
  auto& vm = realm->vm();
  auto stack = makeString(place, "SyntaxError: "_s, said, "\n    at link (node:internal/modules/esm_loader)"_s);
  if (auto* instance = JSC::jsDynamicCast<JSC::ErrorInstance*>(error)) instance->materializeErrorInfoIfNeeded(vm);
  error->putDirect(vm, vm.propertyNames->stack, JSC::jsString(vm, stack),
                   static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  return error;
}

}  // namespace rondo::engine
