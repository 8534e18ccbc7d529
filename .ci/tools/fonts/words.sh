#!/usr/bin/env bash
# Extracts the Thai, Lao, Khmer and Burmese dictionaries, and common words of two to four Han characters, from ICU
# into render/text/words. It needs libicudata, icupkg, zopfli and a compiler (Debian: libicu-dev, icu-devtools, zopfli,
# g++); the result is committed. They are under ICU's license, in ICU.LICENSE there.
set -euo pipefail
target=$(cd "$(dirname "$0")/../../../render/text/words" && pwd)
library=${1:-/usr/lib/x86_64-linux-gnu/libicudata.so.72}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
objcopy -O binary --only-section=.rodata "$library" "$work/icudt72l.dat"
icupkg -d "$work" -x 'brkitr/*dict.dict' "$work/icudt72l.dat"
g++ -O1 "$(dirname "$0")/words.cpp" -licuuc -o "$work/words"
for script in thai lao khmer burmese; do
  "$work/words" "$work/brkitr/${script}dict.dict" >"$work/$script.bin"
  zopfli --i50 -c "$work/$script.bin" >"$target/$script.bin.gz"
done
g++ -std=c++20 -O1 "$(dirname "$0")/hanwords.cpp" -licui18n -licuuc -o "$work/hanwords"
for length in 1 2 3 4; do
  "$work/hanwords" "$work/brkitr/cjdict.dict" "$length" >"$work/hanwords$length.bin"
  zopfli --i100 -c "$work/hanwords$length.bin" >"$target/hanwords$length.bin.gz"
done
