// The part of native('http') that builds req.headers and req.rawHeaders from the text of a head, when somebody asks for them. The
// parser has checked the text: lines end in LF, and those that begin with a blank (of lenient parsers) belong to the one before.
#include "modules/net/net_http.h"

#include <JavaScriptCore/JSCInlines.h>
#include <JavaScriptCore/StrongInlines.h>

#include <array>

namespace rondo::modules::net {

using namespace engine;

namespace {

using Latin = std::span<const LChar>;

// Calls use(name, value) for each field, as offsets in `text`.
struct Piece {
  unsigned at, size;
  bool folded = false;
};
template <class Use>
void each_field(Latin text, size_t limit, Use use) {
  size_t at = 0;
  const auto line_end = [&](size_t from) {
    while (from < text.size() && text[from] != '\n') from++;
    return from;
  };
  const auto blank = [&](size_t i) { return text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n'; };
  at = line_end(0) + 1;
  for (size_t count = 0; at < text.size() && count < limit; count++) {
    size_t end = line_end(at);
    if (end == at || (end == at + 1 && text[at] == '\r')) return;
    bool folded = false;
    for (; end + 1 < text.size() && (text[end + 1] == ' ' || text[end + 1] == '\t'); folded = true)
      end = line_end(end + 1);
    size_t colon = at;
    while (colon < end && text[colon] != ':') colon++;
    size_t name_end = colon, from = colon + 1, until = end;
    while (name_end > at && blank(name_end - 1)) name_end--;
    while (from < until && blank(from)) from++;
    while (until > from && blank(until - 1)) until--;
    use(Piece{static_cast<unsigned>(at), static_cast<unsigned>(name_end - at)},
        Piece{static_cast<unsigned>(from), static_cast<unsigned>(until - from), folded});
    at = end + 1;
  }
}

// How a field that comes more than once is put together.
enum class Repeat : uint8_t { Comma, Semicolon, List, First };

Repeat repeat_of(std::string_view name) {
  static constexpr std::array<std::string_view, 18> kFirst = {"age",
                                                              "host",
                                                              "from",
                                                              "etag",
                                                              "server",
                                                              "referer",
                                                              "expires",
                                                              "location",
                                                              "user-agent",
                                                              "retry-after",
                                                              "content-type",
                                                              "max-forwards",
                                                              "authorization",
                                                              "last-modified",
                                                              "content-length",
                                                              "if-modified-since",
                                                              "proxy-authorization",
                                                              "if-unmodified-since"};
  if (name == "set-cookie") return Repeat::List;
  if (name == "cookie") return Repeat::Semicolon;
  for (auto first : kFirst)
    if (first == name) return Repeat::First;
  return Repeat::Comma;
}

struct Text {
  JSC::JSString* string;
  WTF::String kept;
  Latin characters;
};

std::optional<Text> text_at(Call& call, unsigned index) {
  Value value = call.at(index);
  if (!value.isString()) return std::nullopt;
  Text text{JSC::asString(value), JSC::asString(value)->value(call.realm()), {}};
  if (!text.kept.is8Bit()) return std::nullopt;
  text.characters = text.kept.span8();
  return text;
}

JSC::JSString* part(Call& call, const Text& text, Piece piece) {
  if (piece.folded) {
    WTF::String value = text.kept.substring(piece.at, piece.size);
    value = WTF::makeStringByReplacingAll(WTF::makeStringByReplacingAll(value, '\r', ""_s), '\n', ""_s);
    return JSC::jsString(call.vm(), value);
  }
  return JSC::jsSubstring(call.vm(), call.realm(), text.string, piece.at, piece.size);
}

size_t limit_at(Call& call, unsigned index) { return call.uint32(index) == 0 ? SIZE_MAX : call.uint32(index); }

// rawHeaders(head, most) → [name, value, …]
Value raw_headers(Call& call) {
  JSC::MarkedArgumentBuffer parts;
  if (auto text = text_at(call, 0)) {
    each_field(text->characters, limit_at(call, 1), [&](Piece name, Piece value) {
      parts.append(part(call, *text, name));
      parts.append(part(call, *text, value));
    });
  }
  return call.value(make_array(call.realm(), parts));
}

// A field with this name is there already: put the two together.
void put_again(Call& call, JSC::JSObject* object, JSC::PropertyName key, Value present, JSC::JSString* value,
               Repeat repeat) {
  auto* realm = call.realm();
  if (repeat == Repeat::First) return;
  if (repeat == Repeat::List) {
    JSC::asArray(present)->push(realm, value);
    return;
  }
  auto* separator = JSC::jsNontrivialString(call.vm(), repeat == Repeat::Comma ? ", "_s : "; "_s);
  object->putDirectMayBeIndex(realm, key, JSC::jsString(realm, JSC::asString(present), separator, value));
}

// One field of a head whose names are not known yet.
void put_field(Call& call, JSC::JSObject* object, std::string_view name, JSC::JSString* value, bool joins) {
  auto* realm = call.realm();
  auto& vm = call.vm();
  auto key =
      JSC::Identifier::fromString(vm, WTF::AtomString(Latin(reinterpret_cast<const LChar*>(name.data()), name.size())));
  if (key == vm.propertyNames->underscoreProto) return;  // as an assignment, it would be no field
  auto index = JSC::parseIndex(key);
  Value present = index ? object->getDirectIndex(realm, *index) : object->getDirect(vm, key);
  if (present) {
    auto repeat = repeat_of(name);
    put_again(call, object, key, present, value, joins && repeat == Repeat::First ? Repeat::Comma : repeat);
    return;
  }
  Value first = value;
  if (name == "set-cookie") {
    JSC::MarkedArgumentBuffer one;
    one.append(value);
    first = make_array(realm, one);
  }
  if (index)
    object->putDirectIndex(realm, *index, first);
  else
    object->putDirect(vm, key, first);
}

// Requests come with the same names over and over. Objects made of the same names in the same order have one shape, and one whose
// shape is known is filled without a look at a name.
struct Shape {
  std::string names;  // in lower case, each with a colon behind
  JSC::Strong<JSC::Structure> structure;
};
struct Shapes {
  std::array<Shape, 8> known;
  size_t oldest = 0;
  // Of the head that is being read.
  std::string names;
  std::vector<Piece> values;
};
constexpr size_t kMostFields = 60;  // with more, the engine makes no shape

JSC::Structure* shape_of(const Shapes& shapes, JSC::JSGlobalObject* realm) {
  for (const auto& shape : shapes.known)
    if (shape.names == shapes.names && shape.structure && shape.structure->globalObject() == realm)
      return shape.structure.get();
  return nullptr;
}

Value object_of(Call& call, JSC::Structure* structure, const JSC::MarkedArgumentBuffer& values) {
  auto& vm = call.vm();
  JSC::DeferGC defer(vm);
  auto* more = structure->outOfLineCapacity() ? JSC::Butterfly::create(vm, nullptr, structure) : nullptr;
  auto* object = JSC::JSFinalObject::createWithButterfly(vm, structure, more);
  for (size_t i = 0; i < values.size(); i++)
    object->putDirectOffset(
        vm, JSC::offsetForPropertyNumber(static_cast<int>(i), static_cast<int>(structure->inlineCapacity())),
        values.at(i));
  return object;
}

// Each field became one property, in order.
void learn_shape(Call& call, Shapes& shapes, JSC::JSObject* object) {
  auto* structure = object->structure();
  const auto& names = shapes.names;
  if (structure->isDictionary() || JSC::hasIndexedProperties(structure->indexingType()) ||
      structure->maxOffset() != JSC::offsetForPropertyNumber(static_cast<int>(shapes.values.size()) - 1,
                                                             static_cast<int>(structure->inlineCapacity())) ||
      names.starts_with("set-cookie:") || names.find(":set-cookie:") != std::string::npos)
    return;
  auto& place = shapes.known[shapes.oldest++ % shapes.known.size()];
  place.names = names;
  place.structure.set(call.vm(), structure);
}

// headers(head, joins duplicates, most) → { name: value }, names in lower case
Value headers(Call& call) {
  auto* realm = call.realm();
  auto text = text_at(call, 0);
  if (!text) return JSC::constructEmptyObject(realm);
  auto& shapes = runtime::Runtime::from(realm).local<Shapes>();
  shapes.names.clear();
  shapes.values.clear();
  each_field(text->characters, limit_at(call, 2), [&](Piece name, Piece value) {
    for (unsigned i = 0; i < name.size; i++)
      shapes.names += static_cast<char>(WTF::toASCIILower(text->characters[name.at + i]));
    shapes.names += ':';
    shapes.values.push_back(value);
  });
  JSC::MarkedArgumentBuffer values;
  for (const auto& value : shapes.values) values.append(part(call, *text, value));
  const bool is_usual = !shapes.values.empty() && shapes.values.size() <= kMostFields;
  if (auto* structure = is_usual ? shape_of(shapes, realm) : nullptr) return object_of(call, structure, values);
  auto* object = JSC::constructEmptyObject(realm);
  std::string_view left = shapes.names;
  for (size_t i = 0; i < values.size(); i++) {
    const auto name = left.substr(0, left.find(':'));
    left.remove_prefix(name.size() + 1);
    put_field(call, object, name, JSC::asString(values.at(i)), call.boolean(1));
  }
  if (is_usual) learn_shape(call, shapes, object);
  return object;
}

constexpr FunctionSpec kFunctions[] = {{"rawHeaders", native<raw_headers>, 2}, {"headers", native<headers>, 3}};

}  // namespace

const std::span<const FunctionSpec> kHttpHeadFunctions = kFunctions;

}  // namespace rondo::modules::net
