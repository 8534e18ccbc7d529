// Writes the common words of two Han characters of ICU's dictionary of Chinese and Japanese to standard output: sorted,
// four bytes each, two big-endian UTF-16 units. Build: g++ -O1 hanwords.cpp -licuuc; argument: cjdict.dict.
#include <unicode/ucharstrie.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

constexpr int rarest = 120;  // cost of the rarest word that is kept: some 57 000 of 140 000
constexpr int trie_at = 0;   // index of DictionaryData

int main(int, char** argv) {
  std::ifstream file(argv[1], std::ios::binary);
  std::vector<char> data((std::istreambuf_iterator<char>(file)), {});
  const char* body = &data[*reinterpret_cast<uint16_t*>(&data[0])];
  const int32_t at = reinterpret_cast<const int32_t*>(body)[trie_at];
  UErrorCode status = U_ZERO_ERROR;
  icu::UCharsTrie::Iterator words(reinterpret_cast<const char16_t*>(body + at), 0, status);
  std::vector<uint32_t> out;
  while (words.next(status)) {
    const auto& s = words.getString();
    const auto han = [&](int i) { return s[i] >= 0x4e00 && s[i] <= 0x9fff; };
    if (s.length() == 2 && han(0) && han(1) && words.getValue() <= rarest) {
      out.push_back(uint32_t(s[0]) << 16 | s[1]);
    }
  }
  std::sort(out.begin(), out.end());
  for (uint32_t w : out) {
    for (int shift = 24; shift >= 0; shift -= 8) putchar(w >> shift & 0xff);
  }
}
