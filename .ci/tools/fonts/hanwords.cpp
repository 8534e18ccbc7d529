// Writes the common words of two, three or four Han characters of ICU's dictionary of Chinese and Japanese to standard
// output, or the simplified forms of characters, as render/text/hanwords_large.go describes. Build: g++ -std=c++20 -O1
// hanwords.cpp -licui18n -licuuc; arguments: cjdict.dict and the number of characters, which is 1 for the forms.
#include <unicode/translit.h>
#include <unicode/ucharstrie.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

constexpr int rarest[] = {0, 0, 120, 130, 140};  // cost of the rarest word that is kept, by its characters
constexpr int trie_at = 0;                       // index of DictionaryData
constexpr char16_t first = 0x4e00, last = 0x9fff;

void put(uint16_t n) { putchar(n >> 8), putchar(n & 0xff); }

// Returns the simplified form of each character that has one.
std::map<char16_t, char16_t> simplified() {
  UErrorCode status = U_ZERO_ERROR;
  auto* hans = icu::Transliterator::createInstance("Hant-Hans", UTRANS_FORWARD, status);
  std::map<char16_t, char16_t> out;
  for (char16_t c = first; c <= last; c++) {
    icu::UnicodeString s(c);
    hans->transliterate(s);
    if (s.length() == 1 && s[0] != c && s[0] >= first && s[0] <= last) out[c] = s[0];
  }
  return out;
}

// Reports whether the usual characters of simplified Chinese include all of s: Japanese names often have others.
bool usual(const std::u16string& s) {
  UErrorCode status = U_ZERO_ERROR;
  UConverter* converter = ucnv_open("GB2312", &status);
  ucnv_setFromUCallBack(converter, UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  char out[32];
  ucnv_fromUChars(converter, out, sizeof out, s.data(), int32_t(s.size()), &status);
  ucnv_close(converter);
  return U_SUCCESS(status);
}

int main(int, char** argv) {
  std::ifstream file(argv[1], std::ios::binary);
  const size_t length = std::atoi(argv[2]);
  const auto simple = simplified();
  if (length == 1) {
    for (const auto& [c, _] : simple) put(c);
    for (const auto& [_, c] : simple) put(c);
    return 0;
  }
  std::vector<char> data((std::istreambuf_iterator<char>(file)), {});
  const char* body = &data[*reinterpret_cast<uint16_t*>(&data[0])];
  const int32_t at = reinterpret_cast<const int32_t*>(body)[trie_at];
  UErrorCode status = U_ZERO_ERROR;
  icu::UCharsTrie::Iterator all(reinterpret_cast<const char16_t*>(body + at), 0, status);
  std::set<std::u16string> words;
  while (all.next(status)) {
    const auto& s = all.getString();
    std::u16string w(s.getBuffer(), s.length());
    if (w.size() != length || all.getValue() > rarest[length] ||
        std::any_of(w.begin(), w.end(), [](char16_t c) { return c < first || c > last; })) {
      continue;
    }
    for (auto& c : w) {
      if (const auto i = simple.find(c); i != simple.end()) c = i->second;
    }
    words.insert(w);
  }
  if (length > 2) std::erase_if(words, [](const std::u16string& w) { return !usual(w); });
  std::vector<uint16_t> firsts;  // each first character, with the number of words up to its last
  uint16_t n = 0;
  for (const auto& w : words) {
    if (firsts.empty() || firsts[firsts.size() - 2] != w[0]) firsts.insert(firsts.end(), {uint16_t(w[0]), 0});
    firsts.back() = ++n;
  }
  put(firsts.size() / 2);
  for (uint16_t n : firsts) put(n);
  for (size_t i = 1; i < length; i++) {
    for (const auto& w : words) put(w[i]);
  }
}
