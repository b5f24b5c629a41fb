#!/usr/bin/env bash
# S136: ticks and microtasks are the runtime's: nothing in the library's own loop knows of them. The HTML Standard's loop, built on
# it, has microtask checkpoints by definition.
source tests/cli/help.bash
expect "mentions in librondo" "$(grep -rliE --exclude-dir=html --exclude=html.h 'next_?tick|microtask' include src/loop src/base)" ""
