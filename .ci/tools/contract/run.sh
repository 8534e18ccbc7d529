#!/usr/bin/env bash
# Lints openapi.yaml, generates the TypeScript client with the generator's default settings, compiles a small program
# with it and runs it against a service on loopback. The versions of all tools, Node included, are in
# package-lock.json.
set -euo pipefail
cd "$(dirname "$0")"
export DO_NOT_TRACK=1 REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true

# node_modules is valid until the lockfile changes.
lock=$(sha256sum package-lock.json)
if [ "$(cat node_modules/.lock 2>/dev/null)" != "$lock" ]; then
  npm ci --no-audit --no-fund --loglevel=error
  echo "$lock" > node_modules/.lock
fi
export PATH="$PWD/node_modules/.bin:$PATH"

echo "-- redocly"
redocly lint --format=stylish ../../../openapi.yaml
echo "-- spectral"
spectral lint --fail-severity=hint ../../../openapi.yaml
echo "-- openapi-typescript, tsc"
openapi-typescript ../../../openapi.yaml --output api.d.ts
tsc --project .

echo "-- addresses signed as docs/publishing.md says"
node sign.mjs

echo "-- the client against a service"
work=$(mktemp -d)
service=
cleanup() {
  if [ -n "$service" ]; then kill "$service" && wait "$service" || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
go build -C ../../.. -o "$work/masthead" ./cmd/masthead
MASTHEAD_ADDR=127.0.0.1:0 MASTHEAD_DATA_DIR="$work/data" "$work/masthead" serve > "$work/out" 2> "$work/log" &
service=$!
for _ in $(seq 100); do
  base=$(sed -n 's/^Masthead is listening on //p' "$work/out")
  [ -z "$base" ] || break
  sleep 0.1
done
[ -n "$base" ] || { cat "$work/out" "$work/log"; exit 1; } >&2
node client.ts "$base"
