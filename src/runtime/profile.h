// A profile is an event loop's rules as one Runtime follows them: which task runs next, when microtasks run, when the program is over. NodeProfile
// (node/node_profile.h) has Node's phases, HtmlProfile (html/html_profile.h) the HTML Standard's event loop; --loop chooses.
//
// Owner: the Runtime. Thread: its loop's.
#pragma once

namespace rondo::runtime {

class HtmlProfile;

class Profile {
 public:
  Profile() = default;
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;
  virtual ~Profile() = default;

  // Runs tasks until nothing is left to do, or stop() is called.
  virtual void run() = 0;
  // The outermost turn ends: ticks and microtasks run until both are empty, then rejections are reported.
  virtual void checkpoint() = 0;
  // No further task runs.
  virtual void stop() = 0;
  // run() has returned because nothing was left. True: something has come since, run() again.
  virtual bool before_exit() = 0;

  virtual HtmlProfile* as_html() { return nullptr; }
};

}  // namespace rondo::runtime
