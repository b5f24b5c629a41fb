// A one-shot timer, a repeating one, and a loop that ends by itself when nothing is left to do.
#include <chrono>
#include <cstdio>

#include "rondo/rondo.h"

using namespace std::chrono_literals;

int main() {
  rondo::Loop loop;

  rondo::Timer once(loop);
  once.start(30ms, [] { std::puts("thirty milliseconds"); });

  rondo::Timer beat(loop);
  int beats = 0;
  beat.start(
      10ms,
      [&] {
        std::printf("beat %d\n", ++beats);
        if (beats == 5) beat.stop();
      },
      10ms);

  loop.run();
  std::puts("nothing keeps the loop alive any more");
}
