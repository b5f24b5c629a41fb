// Every line that ends in "dropped" drops a result; tests/install_check counts the compiler's warnings.
#include <rondo/rondo.h>

#include <chrono>

using namespace std::chrono_literals;

rondo::Coroutine<> drop(rondo::Loop& loop, rondo::Tcp& tcp, rondo::TcpServer& server, rondo::Channel<int>& channel) {
  co_await tcp.connect(rondo::Address::loopback4(1));  // dropped
  co_await tcp.write_all({});  // dropped
  co_await tcp.read();  // dropped
  co_await server.accept();  // dropped
  co_await channel.pop();  // dropped
  co_await channel.push(1);  // dropped
  co_await rondo::read_file(loop, "/");  // dropped
  co_await rondo::look_up(loop, "localhost");  // dropped
  co_await rondo::on_pool(loop, [] {});  // dropped
  co_await rondo::shut_down(tcp);  // dropped
  channel.try_push(1);  // dropped
  server.listen(1);  // dropped
  loop.address().post([] {});  // dropped
  tcp.set_no_delay(true);  // dropped
  co_await loop.sleep(1ms);
}
