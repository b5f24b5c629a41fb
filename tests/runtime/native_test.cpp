// The vocabulary of native functions: texts both ways, arguments of the wrong kind, errors and their shape.
#include "engine/core/entry.h"
#include "engine/core/native.h"

#include "test_runtime.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace rondo::engine {
namespace {

using runtime::evaluate;
using runtime::test_runtime;

std::string property(JSC::JSObject* object, std::string_view name) {
  auto* realm = test_runtime().realm();
  return to_utf8(object->get(realm, identifier(realm->vm(), name)).toWTFString(realm));
}

TEST(NativeTest, text_comes_back_as_it_went) {
  for (std::string text : {"", "plain", "Grüße", "日本語", "🙂 with \0 inside"}) EXPECT_EQ(to_utf8(to_wtf(text)), text);
}

TEST(NativeTest, bytes_that_are_no_utf8_become_replacement_characters) {
  EXPECT_EQ(to_utf8(to_wtf("a\xff"
                           "b")),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(to_utf8(to_wtf("\xe2\x82")), "\xef\xbf\xbd");
  // Half of a surrogate pair has no UTF-8.
  const char16_t half[] = {u'a', 0xd800, u'b'};
  EXPECT_EQ(to_utf8(WTF::String(reinterpret_cast<const UChar*>(half), 3)),
            "a\xef\xbf\xbd"
            "b");
}

// Reads its arguments as every kind in turn; whatever they are, nothing runs and nothing breaks.
Value read_all_ways(Call& call) {
  std::string said;
  for (unsigned i = 0; i < call.count(); i++) {
    call.string(i), call.wtf_string(i), call.number(i), call.boolean(i), call.object(i), call.function(i),
        call.bytes(i);
    said += std::to_string(call.int32(i, -7)) + "/" + std::to_string(call.uint32(i, 7)) + "/" +
            std::to_string(call.int64(i, 5)) + " ";
  }
  return call.text(said);
}

TEST(NativeTest, arguments_of_the_wrong_kind_read_as_the_default) {
  auto* realm = test_runtime().realm();
  static constexpr FunctionSpec kFunctions[] = {{"readAllWays", native<read_all_ways>, 1}};
  put_functions(realm, realm, kFunctions);
  EXPECT_EQ(evaluate("readAllWays()"), "");
  EXPECT_EQ(evaluate("readAllWays(3)"), "3/3/3 ");
  EXPECT_EQ(evaluate("readAllWays(undefined, null, 'x', {}, Symbol('s'))"), "-7/7/5 -7/7/5 -7/7/5 -7/7/5 -7/7/5 ");
  EXPECT_EQ(evaluate("readAllWays({ valueOf() { throw new Error('ran'); } })"), "-7/7/5 ");
  EXPECT_EQ(evaluate("readAllWays(new Proxy({}, { get() { throw new Error('ran'); } }))"), "-7/7/5 ");
  EXPECT_EQ(evaluate("readAllWays(2n ** 80n)"), "-7/7/9223372036854775807 ");
  EXPECT_EQ(evaluate("readAllWays(2n ** 63n)"), "-7/7/9223372036854775807 ");
  EXPECT_EQ(evaluate("readAllWays(-(2n ** 63n), 0n, -5n)"), "-7/7/-9223372036854775808 -7/7/0 -7/7/-5 ");
  EXPECT_EQ(evaluate("readAllWays(-(2n ** 80n))"), "-7/7/-9223372036854775808 ");
}

TEST(NativeTest, a_system_error_has_the_shape_programs_know) {
  auto* error = make_system_error(test_runtime().realm(), ENOENT, "open", "a", "b");
  EXPECT_EQ(property(error, "message"), "ENOENT: no such file or directory, open 'a' -> 'b'");
  EXPECT_EQ(property(error, "code"), "ENOENT");
  EXPECT_EQ(property(error, "errno"), "-2");
  EXPECT_EQ(property(error, "syscall"), "open");
  EXPECT_EQ(property(error, "path"), "a");
  EXPECT_EQ(property(error, "dest"), "b");
}

TEST(NativeTest, bytes_of_views_and_of_detached_buffers) {
  auto* realm = test_runtime().realm();
  auto bytes = [&](std::string_view text) {
    auto outcome = evaluate_script(realm, to_wtf(text), to_wtf("test.js"), WTF::String());
    return bytes_of(outcome.value).size();
  };
  EXPECT_EQ(bytes("new Uint8Array(10)"), 10u);
  EXPECT_EQ(bytes("new Uint8Array(10).subarray(3, 5)"), 2u);
  EXPECT_EQ(bytes("new DataView(new ArrayBuffer(8), 2)"), 6u);
  EXPECT_EQ(bytes("new ArrayBuffer(9)"), 9u);
  EXPECT_EQ(bytes("(() => { const b = new ArrayBuffer(9); structuredClone(b, { transfer: [b] }); return b; })()"), 0u);
  EXPECT_EQ(bytes("'text'"), 0u);
}

TEST(NativeTest, a_call_hands_the_exception_out_and_clears_it) {
  auto& vm = test_runtime().vm();
  auto* realm = test_runtime().realm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  evaluate("function fails() { throw new RangeError('no'); }");
  auto outcome = call(realm, runtime::global("fails"), JSC::jsUndefined(), JSC::MarkedArgumentBuffer());
  ASSERT_TRUE(outcome.exception);
  EXPECT_EQ(scope.exception(), nullptr);
  EXPECT_EQ(to_utf8(outcome.exception->value().toWTFString(realm)), "RangeError: no");
}

}  // namespace
}  // namespace rondo::engine
