#!/usr/bin/env bash
# S136: ticks and microtasks are the runtime's: nothing in the library knows of them.
source tests/cli/help.bash
expect "mentions in librondo" "$(grep -rliE 'next_?tick|microtask' include src/loop src/base)" ""
