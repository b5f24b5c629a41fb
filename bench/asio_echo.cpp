// The echo server of loop_bench on Asio's coroutines, for side_by_side: asio_echo prints "LISTEN <port>". Built where Asio is installed.
#include <array>
#include <asio.hpp>
#include <cstdio>
#include <utility>

namespace {

using asio::ip::tcp;

asio::awaitable<void> echo_client(tcp::socket socket) {
  socket.set_option(tcp::no_delay(true));
  std::array<char, 64 * 1024> buffer;
  try {
    for (;;) {
      const std::size_t size = co_await socket.async_read_some(asio::buffer(buffer), asio::use_awaitable);
      co_await asio::async_write(socket, asio::buffer(buffer, size), asio::use_awaitable);
    }
  } catch (const std::exception&) {  // the end of the connection
  }
}

asio::awaitable<void> accept_clients(tcp::acceptor& acceptor) {
  for (;;) {
    tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
    asio::co_spawn(acceptor.get_executor(), echo_client(std::move(socket)), asio::detached);
  }
}

}  // namespace

int main() {
  asio::io_context context(1);
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  std::printf("LISTEN %d\n", acceptor.local_endpoint().port());
  std::fflush(stdout);
  asio::co_spawn(context, accept_clients(acceptor), asio::detached);
  context.run();
}
