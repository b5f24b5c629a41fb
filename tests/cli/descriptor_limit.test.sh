#!/usr/bin/env bash
# A program may open as many descriptors as the hard limit allows, whatever the soft one was, as in Node.
source tests/cli/help.bash
limit() { "$RONDO" -p 'require("fs").readFileSync("/proc/self/limits", "utf8").match(/Max open files +(\d+) +(\d+)/).slice(1).join(" ")'; }
expect "soft limit raised" "$(ulimit -Sn 256; ulimit -Hn 4000; limit)" "4000 4000"
expect "soft limit as it is" "$(ulimit -n 300; limit)" "300 300"
