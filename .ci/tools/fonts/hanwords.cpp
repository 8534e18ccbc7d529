// Writes the common words of two Han characters of ICU's dictionary of Chinese and Japanese to standard output, in
// the form that render/text/hanwords_large.go describes. Build: g++ -O1 hanwords.cpp -licuuc; argument: cjdict.dict.
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
  std::vector<uint16_t> firsts, seconds;  // each first character, with the number of words up to its last
  for (uint32_t w : out) {
    seconds.push_back(w & 0xffff);
    if (firsts.empty() || firsts[firsts.size() - 2] != w >> 16) firsts.insert(firsts.end(), {uint16_t(w >> 16), 0});
    firsts.back() = seconds.size();
  }
  const auto put = [](uint16_t n) { putchar(n >> 8), putchar(n & 0xff); };
  put(firsts.size() / 2);
  for (uint16_t n : firsts) put(n);
  for (uint16_t n : seconds) put(n);
}
