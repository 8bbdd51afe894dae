# shellcheck shell=bash
# What the scripts share. Source it first: it turns on strict mode and changes to the root of the
# repository.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The oldest Swift that the package builds with: the tools version in Package.swift.
readonly SWIFT_OLDEST="6.2"

# Prints a heading, so that a long log can be skimmed.
heading() { printf '\n== %s\n' "$*"; }

# Prints a message to standard error.
note() { printf '%s\n' "$*" >&2; }

# Prints what went wrong and what to do, and ends the script.
fail() {
  note "error: $*"
  exit 1
}

# The time that $1 (an earlier $EPOCHREALTIME) lies back, as "12.3 s".
elapsed_since() { elapsed "$1" "$EPOCHREALTIME"; }

# The time from $1 to $2 (each an $EPOCHREALTIME), as "12.3 s".
elapsed() {
  awk -v start="${1/,/.}" -v end="${2/,/.}" 'BEGIN { printf "%.1f s", end - start }'
}

# Whether version $1 is at least version $2.
is_at_least() {
  [[ "$(printf '%s\n%s\n' "$2" "$1" | sort --version-sort | head -n 1)" == "$2" ]]
}

# Runs `swift test` with the arguments, without its lines about tests that only begin.
swift_test() { swift test "$@" 2>&1 | sed --unbuffered '/^◇ /d'; }

# Ends the script with what to do next when there is no Swift toolchain that is new enough.
require_swift() {
  local version
  if ! command -v swift >/dev/null; then
    fail "no Swift toolchain: \`swift\` is not in PATH.
Contrail needs Swift $SWIFT_OLDEST or newer. Install it from https://www.swift.org/install/linux/
(\`swiftly install latest\`, or the archive for your system), put its usr/bin folder into PATH,
and run scripts/setup again."
  fi
  version="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*[0-9]\).*/\1/p' | head -n 1)"
  if [[ -z "$version" ]]; then
    fail "\`swift --version\` does not work: $(swift --version 2>&1 | tail -n 1)
Run it by hand to see more; a missing library is in the list of packages of scripts/setup."
  fi
  if ! is_at_least "$version" "$SWIFT_OLDEST"; then
    fail "Swift $version is too old; Contrail needs $SWIFT_OLDEST or newer.
Install a newer one from https://www.swift.org/install/linux/ and put its usr/bin folder first in
PATH; \`command -v swift\` now finds $(command -v swift)."
  fi
}
