// An addon for tests/cli/addons.test.sh: one function for each part of Node-API that tests/addons/check.js asserts.
#define NAPI_VERSION 8
#include <node_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS(count) \
  size_t argc = count; \
  napi_value args[count]; \
  napi_value self; \
  napi_get_cb_info(env, info, &argc, args, &self, NULL)

static int finalized;

static napi_value add(napi_env env, napi_callback_info info) {
  ARGS(2);
  double a, b;
  if (napi_get_value_double(env, args[0], &a) != napi_ok || napi_get_value_double(env, args[1], &b) != napi_ok) {
    napi_throw_type_error(env, "ERR_SAMPLE", "numbers wanted");
    return NULL;
  }
  napi_value sum;
  napi_create_double(env, a + b, &sum);
  return sum;
}

// call(function, value): what it returns; what it throws comes through.
static napi_value call(napi_env env, napi_callback_info info) {
  ARGS(2);
  napi_value result = NULL;
  napi_call_function(env, self, args[0], 1, &args[1], &result);
  return result;
}

// caught(function): the status of a call that throws, and the exception, taken away.
static napi_value caught(napi_env env, napi_callback_info info) {
  ARGS(1);
  napi_value pair, status, error;
  napi_create_int32(env, napi_call_function(env, self, args[0], 0, NULL, NULL), &status);
  napi_get_and_clear_last_exception(env, &error);
  napi_create_array_with_length(env, 2, &pair);
  napi_set_element(env, pair, 0, status);
  napi_set_element(env, pair, 1, error);
  return pair;
}

static void on_gone(napi_env env, void* data, void* hint) {
  free(data);
  finalized++;
}

static napi_value counter_new(napi_env env, napi_callback_info info) {
  ARGS(1);
  int* value = malloc(sizeof *value);
  *value = 0;
  if (argc > 0) napi_get_value_int32(env, args[0], value);
  napi_wrap(env, self, value, on_gone, NULL, NULL);
  return NULL;
}

static napi_value counter_next(napi_env env, napi_callback_info info) {
  ARGS(1);
  int* value;
  if (napi_unwrap(env, self, (void**)&value) != napi_ok) return NULL;
  napi_value result;
  napi_create_int32(env, ++*value, &result);
  return result;
}

static napi_value how_many_finalized(napi_env env, napi_callback_info info) {
  napi_value result;
  napi_create_int32(env, finalized, &result);
  return result;
}

// handles(n): makes n objects in memory that the collector does not know, then reads them all.
static napi_value handles(napi_env env, napi_callback_info info) {
  ARGS(1);
  uint32_t count, sum = 0;
  napi_get_value_uint32(env, args[0], &count);
  napi_value* kept = malloc(count * sizeof *kept);
  for (uint32_t i = 0; i < count; i++) {
    napi_value number;
    napi_create_object(env, &kept[i]);
    napi_create_uint32(env, i, &number);
    napi_set_named_property(env, kept[i], "i", number);
  }
  for (uint32_t i = 0; i < count; i++) {
    napi_value number;
    uint32_t value;
    napi_get_named_property(env, kept[i], "i", &number);
    napi_get_value_uint32(env, number, &value);
    sum += value == i;
  }
  free(kept);
  napi_value result;
  napi_create_uint32(env, sum, &result);
  return result;
}

// Work on the pool: square(n) → promise
struct work {
  napi_async_work job;
  napi_deferred deferred;
  double value;
};
static void square_run(napi_env env, void* data) { ((struct work*)data)->value *= ((struct work*)data)->value; }
static void square_done(napi_env env, napi_status status, void* data) {
  struct work* work = data;
  napi_value result;
  napi_create_double(env, work->value, &result);
  napi_resolve_deferred(env, work->deferred, result);
  napi_delete_async_work(env, work->job);
  free(work);
}
static napi_value square(napi_env env, napi_callback_info info) {
  ARGS(1);
  struct work* work = calloc(1, sizeof *work);
  napi_value promise, name;
  napi_get_value_double(env, args[0], &work->value);
  napi_create_promise(env, &work->deferred, &promise);
  napi_create_string_utf8(env, "square", NAPI_AUTO_LENGTH, &name);
  napi_create_async_work(env, NULL, name, square_run, square_done, work, &work->job);
  napi_queue_async_work(env, work->job);
  return promise;
}

// fromThread(function, count): a thread of the addon's calls it that often, with 0, 1, …
struct source {
  napi_threadsafe_function function;
  pthread_t thread;
  uintptr_t count;
};
static void* source_run(void* data) {
  struct source* source = data;
  for (uintptr_t i = 0; i < source->count; i++) napi_call_threadsafe_function(source->function, (void*)i, napi_tsfn_blocking);
  napi_release_threadsafe_function(source->function, napi_tsfn_release);
  return NULL;
}
static void source_call(napi_env env, napi_value function, void* context, void* data) {
  if (!env) return;
  napi_value undefined, number;
  napi_get_undefined(env, &undefined);
  napi_create_uint32(env, (uint32_t)(uintptr_t)data, &number);
  napi_call_function(env, undefined, function, 1, &number, NULL);
}
static void source_end(napi_env env, void* data, void* context) {
  struct source* source = data;
  pthread_join(source->thread, NULL);
  free(source);
}
static napi_value from_thread(napi_env env, napi_callback_info info) {
  ARGS(2);
  struct source* source = calloc(1, sizeof *source);
  uint32_t count;
  napi_get_value_uint32(env, args[1], &count);
  source->count = count;
  napi_value name;
  napi_create_string_utf8(env, "source", NAPI_AUTO_LENGTH, &name);
  napi_create_threadsafe_function(env, args[0], NULL, name, 2, 1, source, source_end, NULL, source_call, &source->function);
  pthread_create(&source->thread, NULL, source_run, source);
  return NULL;
}

// Bytes: lent() is a Buffer on the addon's memory, sum(view) reads one.
static char lent_bytes[4] = {1, 2, 3, 4};
static void lent_back(napi_env env, void* data, void* hint) { finalized++; }
static napi_value lent(napi_env env, napi_callback_info info) {
  napi_value buffer;
  napi_create_external_buffer(env, sizeof lent_bytes, lent_bytes, lent_back, NULL, &buffer);
  return buffer;
}
static napi_value sum(napi_env env, napi_callback_info info) {
  ARGS(1);
  unsigned char* bytes;
  size_t length;
  uint32_t total = 0;
  napi_get_buffer_info(env, args[0], (void**)&bytes, &length);
  for (size_t i = 0; i < length; i++) total += bytes[i];
  napi_value result;
  napi_create_uint32(env, total, &result);
  return result;
}
static napi_value words(napi_env env, napi_callback_info info) {
  const uint64_t low_high[2] = {5, 1};
  napi_value result;
  napi_create_bigint_words(env, 1, 2, low_high, &result);
  return result;
}
static napi_value external(napi_env env, napi_callback_info info) {
  napi_value result;
  napi_create_external(env, lent_bytes, NULL, NULL, &result);
  return result;
}

static void at_end(void* text) { printf("%s\n", (const char*)text); }

// Dies: of its own access, or of one that the C library makes for it.
static napi_value crash(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument;
  bool is_library = false;
  napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
  napi_get_value_bool(env, argument, &is_library);
  if (is_library) abort();
  *(volatile int *)8 = 1;
  return NULL;
}

NAPI_MODULE_INIT() {
  napi_property_descriptor next = {"next", NULL, counter_next, NULL, NULL, NULL, napi_default_method, NULL};
  napi_value counter;
  napi_define_class(env, "Counter", NAPI_AUTO_LENGTH, counter_new, NULL, 1, &next, &counter);
  napi_property_descriptor all[] = {
      {"add", NULL, add, NULL, NULL, NULL, napi_enumerable, NULL},
      {"call", NULL, call, NULL, NULL, NULL, napi_enumerable, NULL},
      {"caught", NULL, caught, NULL, NULL, NULL, napi_enumerable, NULL},
      {"Counter", NULL, NULL, NULL, NULL, counter, napi_enumerable, NULL},
      {"finalized", NULL, NULL, how_many_finalized, NULL, NULL, napi_enumerable, NULL},
      {"handles", NULL, handles, NULL, NULL, NULL, napi_enumerable, NULL},
      {"square", NULL, square, NULL, NULL, NULL, napi_enumerable, NULL},
      {"fromThread", NULL, from_thread, NULL, NULL, NULL, napi_enumerable, NULL},
      {"lent", NULL, lent, NULL, NULL, NULL, napi_enumerable, NULL},
      {"sum", NULL, sum, NULL, NULL, NULL, napi_enumerable, NULL},
      {"words", NULL, words, NULL, NULL, NULL, napi_enumerable, NULL},
      {"crash", NULL, crash, NULL, NULL, NULL, napi_enumerable, NULL},
      {"external", NULL, external, NULL, NULL, NULL, napi_enumerable, NULL},
  };
  napi_define_properties(env, exports, sizeof all / sizeof all[0], all);
  napi_add_env_cleanup_hook(env, at_end, "second");
  napi_add_env_cleanup_hook(env, at_end, "first");
  return exports;
}
