#!/usr/bin/env bash
# Builds what a release has into bin/release (without SBOMs) and tries what runs here: the archive's program draws a
# card, and the Debian package holds the program, the unit and the settings.
#
#   run.sh               for all systems (ten minutes on two cores)
#   run.sh linux amd64   for one
set -euo pipefail
cd "$(dirname "$0")/../../.."

# goreleaser: its build takes some minutes, so that it is kept in the user's cache folder.
goreleaser=${XDG_CACHE_HOME:-$HOME/.cache}/masthead-ci/goreleaser-$(sha256sum .ci/tools/release/go.sum | cut -c1-16)
if [ ! -x "$goreleaser" ]; then
  mkdir -p "$(dirname "$goreleaser")"
  CGO_ENABLED=0 go build -C .ci/tools/release -ldflags "-s -w" -o "$goreleaser" github.com/goreleaser/goreleaser/v2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
config=deploy/goreleaser.yaml
if [ $# -eq 2 ]; then
  # The cask wants macOS too.
  sed -e "s/^    goos: .*/    goos: [$1]/" -e "s/^    goarch: .*/    goarch: [$2]/" \
    -e '/^homebrew_casks:/,/^checksum:/{/^checksum:/!d}' "$config" >"$work/goreleaser.yaml"
  config=$work/goreleaser.yaml
fi
"$goreleaser" release --config "$config" --snapshot --clean --skip=sbom

cd bin/release
sha256sum --quiet --check checksums.txt
mkdir "$work/archive" "$work/package"
tar -x -C "$work/archive" -f masthead_linux_amd64.tar.gz
for file in LICENSE README.md deploy/masthead.env.example deploy/masthead.service; do
  test -s "$work/archive/$file" || { echo "the archive has no $file" >&2; exit 1; }
done
# At most 85 MB, and 38 MB compressed: docs/deploy.md gives the sizes.
size() { stat -c %s "$1"; }
program=$(size "$work/archive/masthead")
archive=$(size masthead_linux_amd64.tar.gz)
echo "the program has $program bytes, its archive $archive"
if [ "$program" -gt 85000000 ] || [ "$archive" -gt 38000000 ]; then
  echo "that is too much: it may have 85,000,000, and 38,000,000 compressed" >&2
  exit 1
fi
"$work/archive/masthead" version | tee "$work/version"
grep -q -- '-next' "$work/version" || { echo "the program doesn't say which version it is" >&2; exit 1; }
grep -q "$(git rev-parse --short=7 HEAD)" "$work/version" || { echo "the program doesn't say its revision" >&2; exit 1; }
"$work/archive/masthead" card --title "Released" -o "$work/card.png"

dpkg-deb --extract masthead_amd64.deb "$work/package"
cmp "$work/archive/masthead" "$work/package/usr/bin/masthead"
cmp ../../deploy/masthead.service "$work/package/usr/lib/systemd/system/masthead.service"
cmp ../../deploy/masthead.env.example "$work/package/etc/masthead/masthead.env"
test "$(stat -c %a "$work/package/etc/masthead/masthead.env")" = 600
# An RPM's first four bytes: https://rpm-software-management.github.io/rpm/manual/format_lead.html
test "$(head -c 4 masthead_amd64.rpm | od -An -tx1 | tr -d ' ')" = edabeedb
