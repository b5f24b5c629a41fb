// See commands.h.
#include "cli/commands.h"

#include "cli/foreign_options.h"
#include "cli/help_colors.h"
#include "cli/option_table.h"
#include "cli/shell_help.h"
#include "runtime/node_version.h"

#include <cstdio>

namespace rondo::cli {

namespace {

constexpr const char* kHelp =
    "Usage: rondo [options] [script.js | -e code | -] [arguments]\n"
    "\n"
    "A JavaScript runtime on its own event loop, ordered as Node orders.\n"
    "\n"
    "Commands:\n"
    "  rondo script.js [args]       run a program\n"
    "  rondo -e code                evaluate code\n"
    "  rondo -p expression          evaluate and print the result\n"
    "  rondo                        at a terminal a prompt (REPL); else as rondo -\n"
    "  rondo -                      run the program on standard input\n"
    "  rondo trace script.js        run a program, then print the loop's report of the run\n"
    "        -o trace.json          write it for Perfetto or chrome://tracing instead\n"
    "        --json                 print one JSON record a line instead\n"
    "        --all                  print each promise reaction of its own\n"
    "        -o run.html            write a page that shows the run, as one file\n"
    "  rondo trace pid --for 5s     the newest callbacks of a running process; -o run.html writes the page\n"
    "  rondo trace --join a b c     recordings of several processes (trace --json -o a) that talk over rondo:mesh\n"
    "  rondo doctor script.js|pid   tell what is wrong with the loop, and which function it is, while it lasts\n"
    "        --json                 one JSON object a finding, on standard error\n"
    "        --threshold time       how long a callback may run (default 100ms)\n"
    "        --abort-after time     end a program that blocks for so long\n"
    "        --fail-on list         exit code 1 for these classes, such as block:200ms,late-timer\n"
    "  rondo why script.js|pid      tell what keeps a program alive, what was late, what it left\n"
    "  rondo top script.js|pid      a table of loops, once a second\n"
    "  rondo see script.js|pid      show the loop in a page, live\n"
    "  rondo inspect script.js      debug a program at a prompt; also host:port, or -p pid\n"
    "        --probe file:line --expr code   without a prompt: print an expression whenever the program comes there\n"
    "  rondo compare script.js      run a script on both loops, and print both orders side by side\n"
    "        --times                with the milliseconds from the first line to each\n"
    "  rondo explore script.js      run a program in every order that the world may choose, and list the outcomes\n"
    "        --json                 print one line of JSON at the end\n"
    "        --bound n              only schedules with at most n deviations from the default one; --all: every "
    "schedule\n"
    "        --schedules n          stop after so many; --for time: after so long (default 60s)\n"
    "        --expect-one           exit code 1 when outcomes differ\n"
    "        --faults               operations may fail, too\n"
    "        --real-fs              runs write to the real files, not to private ones\n"
    "        --jobs n               processes that run schedules (default: one a core)\n"
    "  rondo replay script.js --schedule=text   run a program by a schedule that explore has printed\n"
    "  rondo replay file            run a program again as it ran with --record=file\n"
    "  rondo --loop=html page.html  run a page, or a script (also -e code) as a page's, on the HTML Standard's event "
    "loop\n"
    "        --virtual-time         its clock jumps over all waiting; times are exact\n"
    "        --rate n               rendering opportunities a second (default 60)\n"
    "        --storage folder       keep localStorage and indexedDB there, over runs\n"
    "        --policy name          which task queue is served next: fifo, priority or seed:N\n"
    "        --fence word           what the kernel holds a page to: best (default), require, print or off\n"
    "  rondo why --permission script.js  run a program, then print the rights it used, as options\n"
    "\n"
    "Options:\n"
    "  -i, --interactive            prompt also where standard input is no terminal, or beside -e\n"
    "  -c, --check                  check the syntax of a script without running it\n"
    "  -r, --require module         load a CommonJS module first (may be repeated)\n"
    "  --import module              import a module first (may be repeated)\n"
    "  -C, --conditions name        add a condition for package exports and imports\n"
    "  --env-file file              read environment variables from a file\n"
    "  --env-file-if-exists file    the same, where the file may be missing\n"
    "  --experimental-config-file[=file]\n"
    "                               read options from a file (node.config.json), as Node does\n"
    "  --run name [-- args]         run a script of the nearest package.json in a shell; without a name list them\n"
    "  --input-type type            what -e and standard input hold: commonjs or module\n"
    "  --test [files]               run the named files, or those found, as tests, each in its own process\n"
    "  --test-name-pattern re, --test-only, --test-reporter name, --test-timeout ms, --experimental-test-coverage, "
    "...\n"
    "                               options of --test and node:test as in Node; --test-leaks: docs/test-runner.md\n"
    "  --virtual-time               run on a clock that jumps over all waiting\n"
    "  --record file                write everything that comes from outside to a file, for rondo replay\n"
    "  --seed n                     random numbers that are the same in each run\n"
    "  --watch                      run the script again when a file it loaded changes\n"
    "  --watch-path path            run it again when anything below path changes (may be repeated)\n"
    "  --watch-preserve-output      keep what earlier runs have printed on the screen\n"
    "  --doctor                     tell on standard error what is wrong with the loop while the program runs\n"
    "  --permission                 refuse files, network, processes and workers that --allow-... does not grant\n"
    "  --permission=kernel          the same, held by the kernel too, for native code as well\n"
    "  --permission-audit           tell of what would be refused (diagnostics channels), and refuse nothing\n"
    "  --allow-fs-read path         a file, a folder, a beginning of names with '*', or '*' (may be repeated)\n"
    "  --allow-fs-write path        the same for writing\n"
    "  --allow-net, --allow-child-process, --allow-worker, --allow-addons, --allow-wasi, --allow-inspector\n"
    "  --unhandled-rejections mode  throw (default), strict, warn, warn-with-error-code, none\n"
    "  --no-warnings                print no process warnings\n"
    "  --trace-warnings             print warnings with their stack\n"
    "  --stack-trace-limit n        frames kept in error stacks (default 10)\n"
    "  --expose-gc                  make gc() available\n"
    "  --completion-bash            print a script that completes options in bash; --completion-zsh, "
    "--completion-fish\n"
    "  --man-page                   print the manual page: rondo --man-page > rondo.1\n"
    "  -v, --version [--json]       print the version; with --json as JSON, with Node's beside it\n"
    "  -h, --help                   print this text\n"
    "  --                           end of options\n"
    "\n"
    "Environment:\n"
    "  NODE_OPTIONS                 options to apply to every run\n"
    "  NODE_PATH                    folders in which require() looks too\n"
    "  NODE_REPL_HISTORY            file of the prompt's history; empty: none (default ~/.node_repl_history)\n"
    "  NODE_REPL_HISTORY_SIZE, NODE_REPL_MODE   lines kept (default 1000); sloppy or strict\n"
    "  NO_COLOR, FORCE_COLOR        colours off, or on\n"
    "  RONDO_POLLER                 uring or epoll (default: uring where the kernel allows it)\n"
    "  RONDO_FS                     ring or pool: where file operations run\n"
    "  UV_THREADPOOL_SIZE           threads of the pool (default 4)\n"
    "\n"
    "Node's options are described at https://nodejs.org/api/cli.html\n";

int print(const std::string& text) {
  fputs(text.c_str(), stdout);
  return 0;
}

int print_help() {
  const std::string text = kHelp + list_of_options_without_effect();
  return print(wants_colors() ? color_help(text) : text);
}

#if defined(__aarch64__)
constexpr const char* kArchitecture = "arm64";
#else
constexpr const char* kArchitecture = "x64";
#endif

// A binary called `node` answers as the Node whose behaviour it has: scripts compare this line.
int print_version(const CommandLine& line) {
  if (std::get<bool>(line.options.at("--json"))) {
    printf(R"({"rondo":"%s","node":"%s","platform":"linux","arch":"%s"})"
           "\n",
           RONDO_VERSION, runtime::kNodeVersion, kArchitecture);
  } else if (line.is_node) {
    printf("v%s\n", runtime::kNodeVersion);
  } else {
    printf("rondo v%s\n", RONDO_VERSION);
  }
  return 0;
}

}  // namespace

int execute(const CommandLine& line) {
  if (line.is_explore_server && line.action != Action::Fail) return serve_explorer(line);
  switch (line.action) {
    case Action::Help:
      return print_help();
    case Action::Version:
      return print_version(line);
    case Action::V8Options:
      return print(list_of_v8_options());
    case Action::BashCompletion:
      return print(bash_completion(list_of_options()));
    case Action::ZshCompletion:
      return print(zsh_completion(kHelp, list_of_options()));
    case Action::FishCompletion:
      return print(fish_completion(kHelp, list_of_options()));
    case Action::ManPage:
      return print(man_page(kHelp, list_of_options(), RONDO_VERSION));
    case Action::Fail:
      fprintf(stderr, "%s\n", line.text.c_str());
      return line.exit_code;
    case Action::Trace:
      return trace_program(line);
    default:
      if (const auto child = as_traced_child(line)) return trace_program(*child);
      return run_program(line, line.action);
  }
}

}  // namespace rondo::cli
