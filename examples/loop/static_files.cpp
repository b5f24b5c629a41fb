// Static files over HTTP: the parser of rondo/http.h, send_file() with backpressure. A client that does not read costs neither a thread
// nor memory.
//
//   example_static_files FOLDER
#include <fcntl.h>
#include <rondo/rondo.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdio>
#include <string>

namespace {

using namespace std::chrono_literals;

// "/a/b" below the folder; nothing with "..": the path of a URL is not a path of ours.
std::string file_of(const std::string& folder, std::string_view target) {
  target = target.substr(0, target.find('?'));
  if (target.empty() || target.front() != '/' || target.find("..") != std::string_view::npos) return {};
  return folder + std::string(target == "/" ? "/index.html" : target);
}

rondo::Coroutine<rondo::Result<void>> answer(rondo::Tcp& client, const std::string& path, rondo::CancelToken token) {
  rondo::Loop& loop = client.loop();
  rondo::FileRequest request;
  const auto opened = co_await rondo::perform(loop, request.open(path, O_RDONLY), token);
  const rondo::UniqueFd file(opened ? static_cast<int>(*opened) : -1);
  struct stat status{};
  if (!file || fstat(file.get(), &status) < 0 || !S_ISREG(status.st_mode)) {
    co_return co_await client.write_all(rondo::as_bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), token);
  }
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(status.st_size) + "\r\n\r\n";
  const rondo::Result<void> begun = co_await client.write_all(rondo::as_bytes(head), token);
  if (!begun) co_return begun;
  const auto sent = co_await rondo::send_file(client, file.get(), 0, static_cast<std::uint64_t>(status.st_size), token);
  if (!sent) co_return std::unexpected(sent.error());
  co_return rondo::Result<void>();
}

rondo::Coroutine<> session(rondo::Loop& loop, rondo::UniqueFd connection, std::string folder,
                           rondo::CancelToken token) {
  rondo::Tcp client(loop);
  if (!client.open(std::move(connection))) co_return;
  (void)client.set_no_delay(
      true);  // else the kernel holds the last part of an answer back until the one before is confirmed
  rondo::BufferedReader reader(client, 16 * 1024);
  for (;;) {
    const auto head = co_await rondo::with_timeout(loop, 30s, reader.read_until("\r\n\r\n", token));
    if (!head || !head->starts_with("GET ")) co_return;
    const std::string_view target = head->substr(4, head->find(' ', 4) - 4);
    const std::string path = file_of(folder, target);
    const rondo::Result<void> answered = co_await answer(client, path, token);
    if (!answered) co_return;
  }
}

rondo::Coroutine<> serve(rondo::Loop& loop, rondo::TcpServer& server, std::string folder) {
  rondo::TaskGroup sessions(loop);
  auto accept = [](rondo::Loop& on, rondo::TcpServer& from, rondo::TaskGroup& group,
                   std::string below) -> rondo::Coroutine<> {
    for (;;) {
      auto connection = co_await from.accept(group.token());
      if (!connection) co_return;
      group.spawn(session(on, std::move(*connection), below, group.token()));
    }
  };
  sessions.spawn(accept(loop, server, sessions, folder));
  rondo::SignalEvents interrupts(loop, SIGINT);
  const auto caught = co_await interrupts.next();
  sessions.cancel();
  const auto ended = co_await sessions.join();
  std::printf("%s\n", caught && ended ? "ended" : "cancelled");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::puts("which folder?"), 2;
  rondo::Loop loop;
  rondo::TcpServer server(loop);
  if (!server.bind(rondo::Address::loopback4(0)) || !server.listen(511)) return 1;
  std::printf("LISTEN %d\n", server.local_address()->port());
  std::fflush(stdout);
  rondo::sync_wait(loop, serve(loop, server, argv[1]));
}
