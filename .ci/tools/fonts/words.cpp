// Writes the words of one of ICU's dictionaries of bytes to standard output, in the form that render/text/words.go
// describes. Build: g++ -O1 words.cpp -licuuc; argument: one of thaidict.dict, laodict.dict, khmerdict.dict and
// burmesedict.dict.
#include <unicode/bytestrie.h>
#include <unicode/stringpiece.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

constexpr int trie_at = 0;  // index of DictionaryData

int main(int, char** argv) {
  std::ifstream file(argv[1], std::ios::binary);
  std::vector<char> data((std::istreambuf_iterator<char>(file)), {});
  const char* body = &data[*reinterpret_cast<uint16_t*>(&data[0])];
  UErrorCode status = U_ZERO_ERROR;
  icu::BytesTrie::Iterator trie(body + reinterpret_cast<const int32_t*>(body)[trie_at], 0, status);
  std::vector<std::string> words;
  while (trie.next(status)) words.emplace_back(trie.getString().data(), trie.getString().length());
  std::sort(words.begin(), words.end(), [](const std::string& a, const std::string& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](char x, char y) { return uint8_t(x) < uint8_t(y); });
  });
  std::string shared, added, letters, last;
  for (const std::string& w : words) {
    const size_t n = std::mismatch(w.begin(), w.end(), last.begin(), last.end()).first - w.begin();
    if (w.size() > 255) return 1;
    shared += char(n), added += char(w.size() - n), letters += w.substr(n);
    last = w;
  }
  for (int shift = 24; shift >= 0; shift -= 8) putchar(words.size() >> shift & 0xff);
  for (const std::string& s : {shared, added, letters}) fwrite(s.data(), 1, s.size(), stdout);
}
