#!/usr/bin/env bash
# Measures the built program and prints the cost of a request, and of serving cached pictures compared with nginx.
# BEFORE is a program of another revision to compare the requests with.
set -euo pipefail
cd "$(dirname "$0")/../../.."

missing=()
command -v wrk >/dev/null || missing+=(wrk)
[ -n "$(PATH="$PATH:/usr/sbin" command -v nginx)" ] || missing+=(nginx-light)
if [ ${#missing[@]} -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  # RUNLEVEL=1 keeps the package from starting its service.
  export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
  apt-get update -qq >&2
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fi
export PATH="$PATH:/usr/sbin"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ways in "" kept handler; do
  CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X masthead/pkg/server.ways=$ways" \
    -o "$work/masthead${ways:+-$ways}" ./cmd/masthead
done
go build -C .ci/tools/bench -o "$work/bench" .

echo "# What serving costs"
echo
echo "Printed by \`task bench\`, of the built program. Another machine gives other figures; ratios stay."
echo
echo "## Kept pictures, beside nginx"
echo
if command -v wrk >/dev/null && command -v nginx >/dev/null; then
  echo "\`handler\` has every request take the whole chain over net/http, \`kept\` has net/http write the pictures that are at"
  echo "hand, and \`raw\`, the program as it is, writes those in memory itself. A faster way stays where it gains a quarter."
  echo
  "$work/bench" serving --program "raw=$work/masthead" --program "kept=$work/masthead-kept" \
    --program "handler=$work/masthead-handler"
else
  echo "Not measured: wrk and nginx are missing here (Debian: wrk, nginx-light)."
fi
echo
echo "## A request"
echo
"$work/bench" requests ${BEFORE:+--program "$BEFORE"} --program "$work/masthead" ${POSTGRES:+--postgres "$POSTGRES"}
if [ -w /dev/shm ] && [ -z "${POSTGRES:-}" ]; then
  echo
  echo "The same where pictures and database lie in memory: what the file system of a disk takes differs widely."
  echo
  TMPDIR=/dev/shm "$work/bench" requests ${BEFORE:+--program "$BEFORE"} --program "$work/masthead" --only "new page" |
    sed -n '/^|/p'
fi
