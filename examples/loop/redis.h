// A Redis client: commands of any number of coroutines share one connection (pipelining). Each command waits for its reply in a
// Promise, without any allocation of its own; replies come in the order of the commands. Used by redis_client.cpp and, as it is,
// by redis_simulated.cpp.
#pragma once

#include <rondo/rondo.h>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <string>
#include <utility>
#include <vector>

class Redis {
 public:
  explicit Redis(rondo::Loop& loop) : loop_(loop), stream_(loop) {}

  rondo::Coroutine<rondo::Result<void>> connect(std::string host, std::string port) {
    const auto found = co_await rondo::look_up(loop_, host, port);
    if (!found) co_return std::unexpected(found.error());
    const rondo::Result<void> connected = co_await stream_.connect(*found, {.timeout = std::chrono::seconds(5)}, {});
    if (!connected) co_return connected;
    (void)stream_.set_no_delay(true);
    replies_ = read_replies();
    replies_.start();
    co_return rondo::Result<void>();
  }

  // The reply as text; an error reply is EPROTO, a lost connection ECONNRESET.
  rondo::Coroutine<rondo::Result<std::string>> command(std::vector<std::string> words) {
    std::string request = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string& word : words) request += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    rondo::Promise<std::string> reply(loop_);
    waiting_.push_back(&reply);
    const rondo::Result<void> sent = co_await stream_.write_all(rondo::as_bytes(request));
    if (!sent) fail_all(sent.error());
    co_return co_await reply.wait();
  }

 private:
  rondo::Coroutine<> read_replies() {
    rondo::BufferedReader reader(stream_, 512 << 20);
    for (;;) {
      const rondo::Result<std::string> reply = co_await read_one(reader);
      if (!reply && reply.error().number != EPROTO) co_return fail_all({ECONNRESET, "read"});
      if (waiting_.empty()) continue;
      rondo::Promise<std::string>* next = waiting_.front();
      waiting_.pop_front();
      if (reply) {
        next->resolve(*reply);
      } else {
        next->reject(reply.error());
      }
    }
  }

  rondo::Coroutine<rondo::Result<std::string>> read_one(rondo::BufferedReader& reader) {
    const auto line = co_await reader.read_line();
    if (!line) co_return std::unexpected(line.error());
    if (line->empty()) co_return rondo::failure(EBADMSG, "redis");
    const char kind = line->front();
    const std::string rest(line->substr(1));
    if (kind == '-') co_return rondo::failure(EPROTO, "redis");
    if (kind == '+' || kind == ':') co_return rest;
    const long length = std::atol(rest.c_str());
    if (kind == '$') {
      if (length < 0) co_return std::string();
      const auto text = co_await reader.read_exactly(static_cast<std::size_t>(length) + 2);
      if (!text) co_return std::unexpected(text.error());
      co_return std::string(text->substr(0, text->size() - 2));
    }
    if (kind != '*') co_return rondo::failure(EBADMSG, "redis");
    std::string all;
    for (long i = 0; i < length; i++) {
      const rondo::Result<std::string> item = co_await read_one(reader);
      if (!item) co_return item;
      all += (i ? " " : "") + *item;
    }
    co_return all;
  }

  void fail_all(rondo::Error error) {
    while (!waiting_.empty()) {
      waiting_.front()->reject(error);
      waiting_.pop_front();
    }
  }

  rondo::Loop& loop_;
  rondo::Tcp stream_;
  std::deque<rondo::Promise<std::string>*> waiting_;
  rondo::Coroutine<> replies_;
};
