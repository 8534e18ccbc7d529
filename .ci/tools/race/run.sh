#!/usr/bin/env bash
# Runs the tests of cmd, and of what shares in pkg, with the race detector, crowds made smaller. It needs a C compiler.
set -euo pipefail
cd "$(dirname "$0")/../../.."
export CGO_ENABLED=1

# What computes rather than shares is compiled without the detector, which makes it ten times slower: SQLite (C that was
# translated), hashing, and drawing, for which the third command is.
uninstrumented=()
for packages in modernc.org/sqlite/lib modernc.org/libc/... modernc.org/memory golang.org/x/crypto/... \
  golang.org/x/image/... golang.org/x/net/html/... github.com/andybalholm/brotli github.com/disintegration/imaging \
  github.com/go-text/... github.com/golang/freetype/... github.com/klauspost/compress/... image/... compress/... \
  masthead/fonts masthead/render/...; do
  uninstrumented+=("-gcflags=$packages=-race=false")
done

# What could race: packages, with their tests, that start something, serve, or guard what is shared.
starts='\bgo [a-zA-Z]+[.(]|\.Go\(|t\.Parallel|"sync|"net/http|apptest"|masthead/pkg/app"'
shared=$(grep -rlE "$starts" --include='*.go' pkg | xargs -n 1 dirname | sort -u | grep -vx pkg/card |
  sed 's|^|./|' | tr '\n' ' ')

race=(-race -short "-p=$(($(nproc) + 1))" -timeout 30m -vet=off -ldflags=-w) # the linter vets
# A failed test without a race is run once more by itself.
tests() {
  go tool -modfile=.ci/tools/gotestsum/go.mod gotestsum --format pkgname --rerun-fails=1 --rerun-fails-max-failures=4 \
    --rerun-fails-abort-on-data-race --rerun-fails-run-root-test --packages "$1" -- "${race[@]}" "${@:2}"
}
# The slowest packages come first, so that no core is idle in the end. Cards drawn one after another are left out.
tests "./cmd/... ./pkg/images ./pkg/web/... $shared" "${uninstrumented[@]}"
tests ./pkg/card -skip TestAuto
go test "${race[@]}" -run 'concurrent|together|Goroutines' ./render/...
go test -C .ci/tools/bench -race ./...
