# What tests of the doctor by class share; sourced by them after help.bash, not run.
fixtures=tests/fixtures/doctor

# finds CLASS FUNCTION FILE [ARGUMENTS…]
finds() {
  local class=$1 function=$2 file=$3
  shift 3
  run doctor --json "$fixtures/$file" "$@"
  local line
  line=$(grep "\"class\":\"$class\"" <<<"$err" | head -1)
  [ -n "$line" ] || { printf '%s: no %s in\n%s\n' "$file" "$class" "$err" >&2; exit 1; }
  has "$file: function" "$line" "\"function\":\"$function\""
  [[ $line =~ \"place\":\"[^\"]*$file:[0-9]+:[0-9]+\" ]] || { printf '%s: no place in %s\n' "$file" "$line" >&2; exit 1; }
  [[ $line =~ ^\{\"kind\":\"finding\",\"class\":.*,\"function\":.*,\"place\":.*,\"cause\":\".+\",\"ms\":[0-9.]+,\"advice\":\".+\"\}$ ]] ||
    { printf '%s: not of the form: %s\n' "$file" "$line" >&2; exit 1; }
}
