# Small vocabulary of the command-line tests; sourced by them, not run.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run ARGS…: runs the binary; afterwards $code, $out and $err hold what it gave.
run() {
  code=0
  "$RONDO" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  out=$(cat "$work/out") err=$(cat "$work/err")
}

# expect WHAT ACTUAL WANTED: equal, or the test ends.
expect() {
  [ "$2" == "$3" ] && return
  printf '%s: got <%s>, wanted <%s>\nstderr: %s\n' "$1" "$2" "$3" "${err:-}" >&2
  exit 1
}

# has WHAT TEXT PART: TEXT contains PART, or the test ends.
has() {
  [[ $2 == *"$3"* ]] && return
  printf '%s: <%s> does not contain <%s>\n' "$1" "$2" "$3" >&2
  exit 1
}

script() { cat >"$work/$1"; }
