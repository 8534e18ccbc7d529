#!/usr/bin/env bash
# Fuzzes every target of the module, one after another. BUDGET seconds are shared evenly by all targets; FUZZTIME
# seconds, if set, is the time of each target instead. All packages are built first, together: one after another, cores
# are idle while the linker works.
#
# A failing input stays in the package's testdata/fuzz, where `go test` runs it from then on; the end of the output
# lists its target.
set -euo pipefail
cd "$(dirname "$0")/../../.."

targets=$(git ls-files '*_test.go' | xargs grep -oE '^func Fuzz[A-Za-z0-9_]+' | sed 's|/[^/]*:func | |' | sort -u)
count=$(wc -l <<<"$targets")
each=${FUZZTIME:-$(awk -v budget="${BUDGET:-240}" -v count="$count" 'BEGIN { printf "%.1f", budget / count }')}
echo "$count targets, ${each}s each"

work=$(mktemp -d -p "${GOTMPDIR:-${TMPDIR:-/tmp}}") # for 2 GB
trap 'rm -rf "$work"' EXIT
cache=$(go env GOCACHE)/fuzz # where go test -fuzz keeps the inputs that it found interesting
# What is followed is our code and what reads HTML and pictures for us. `go test -fuzz` would also compile the rest for
# it, of which most is SQLite: that takes minutes, and each input longer.
follow=()
for packages in masthead/... golang.org/x/net/html/... golang.org/x/image/...; do
  follow+=("-gcflags=$packages=-d=libfuzzer")
done
mapfile -t packages < <(cut -d' ' -f1 <<<"$targets" | sort -u)
go test -c "${follow[@]}" -ldflags=-w -o "$work/" "${packages[@]/#/./}"
found=''
while read -r package target; do
  echo "== $package $target"
  if (cd "$package" && "$work/${package##*/}.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "${each}s" \
    -test.fuzzminimizetime 10x -test.fuzzcachedir "$cache/masthead/$package") 2>&1 | tee "$work/out"; then continue; fi
  # The engine also reports a failure if its time ends while a worker processes an input (context deadline exceeded).
  # A real finding writes its input or names a panic.
  if grep -q '^    context deadline exceeded$' "$work/out" && ! grep -qE 'Failing input written|panic|fuzz_test' "$work/out"
  then
    echo "no finding: the time ended in the middle of an input"
    continue
  fi
  found="$found $package:$target"
done <<<"$targets"
[ -z "$found" ] || { echo "Fuzzing found something in:$found" >&2; exit 1; }
