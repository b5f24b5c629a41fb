# S127: librondo needs no engine: nothing in the archive refers to JavaScriptCore. (That it builds and passes its tests with no engine
# present, and with another compiler, is the step "librondo alone with g++" of tests/all.)
set -eu
archive=$(dirname "$RONDO")/librondo.a
symbols=$(nm -C "$archive" 2>/dev/null)
[ -n "$symbols" ]
grep -q 'rondo::Loop::run' <<<"$symbols"
! grep -qE '(JSC|WTF)::' <<<"$symbols"
