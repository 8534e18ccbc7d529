package fonts_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"masthead/fonts"
)

func TestFont_everyFaceHasTheLettersOfItsCoverage(t *testing.T) {
	letters := map[string]string{
		"inter":                "AaßŐőŁłĞğİıẾếựởΑαΩώἀЖжЁёҐґ€₽₿№™→…“”„«»–—·•½²₂✓fi",
		"plus-jakarta-sans":    "AaßŐőŁłĞğİıẾếựở€№™…“”„«»–—·•½²",
		"space-grotesk":        "AaßŐőŁłĞğİıẾếựở€™→…“”„«»–—·•½²₂",
		"jetbrains-mono":       "AaßŐőŁłĞğİıẾếựởΑαΩώЖжЁёҐґ€₽₿№™→…“”„«»–—·•½²₂",
		"noto-sans":            "AaßŐőŁłĞğİıẾếựởΑαΩώἀЖжЁёҐґ€₽№™…“”„«»–—·•½²₂",
		"instrument-serif":     "AaßŐőŁłĞğİı€™…“”„«»–—·•",
		"noto-sans-arabic":     "ابجدهوزحطيكلمنسعفصقرشتثخذضظغءآأؤإئةىپچژگیکٹڈڑںھہے،؛؟٠١٢۰۱۲ًٌٍَُِّْ",
		"noto-sans-devanagari": "अकखहिन्ी्ंँ०१२।॥ज़ॐ", "noto-sans-bengali": "অকখহিী্ং০১২", "noto-sans-tamil": "அகஙிீ்௦",
		"noto-sans-thai": "กขฮิีึืุูเแโใไ่้๊๋์ำ๐๑฿", "noto-sans-georgian": "აბგჰᲐᲑ", "noto-sans-armenian": "ԱԲաբև՛՞։",
		"noto-sans-ethiopic": "ሀለሐ።፣፩", "noto-sans-telugu": "అకహి్ం", "noto-sans-kannada": "ಅಕಹಿ್ಂ",
		"noto-sans-malayalam": "അകഹി്ംൻർൽ", "noto-sans-gujarati": "અકહિ્ં", "noto-sans-gurmukhi": "ਅਕਹਿ੍ੰੱ",
		"noto-sans-oriya": "ଅକହି୍ଂ", "noto-sans-sinhala": "අකහි්ං", "noto-sans-khmer": "កខហិ្ំ។៛",
		"noto-sans-lao": "ກຂຮິໍ້່ໜໝ", "noto-sans-myanmar": "ကခဟိ္်ံ။၀",
		"noto-serif-tibetan": "ཀཁགཨིེོུཾྷྱྲླ་།༄༅༡༢༔",
		"noto-sans-jp":       "あアぁー々、。「」・漢字髙𠮟丼邉眞喩慄膵蒟蒻", "noto-sans-sc": "们国汉龙囧，。“”《》—…", "noto-sans-tc": "們國漢龍嘅，。「」ㄅ",
		"noto-sans-kr": "가각뷰ㄱㅏ", "noto-sans-symbols": "⚙①ⓐ", "noto-sans-math": "∀∈∩∪∑∫√⟹⊕",
		"noto-sans-symbols-2": "☀✂✈⬢⠿",
		"noto-sans-hebrew":    "אבגדהוזחטיךכלםמןנסעףפץצקרשת־׳״ָּ₪",
	}
	signs := map[string]bool{ // need no shaping
		"noto-sans-symbols": true, "noto-sans-symbols-2": true, "noto-sans-math": true, "noto-sans-sc": true,
		"noto-sans-tc": true, "noto-sans-jp": true, "noto-sans-kr": true,
	}
	for _, f := range fonts.All() {
		t.Run(f.Name(), func(t *testing.T) {
			font := f.Font()
			for _, r := range letters[f.Family] {
				if _, ok := font.NominalGlyph(r); !ok {
					t.Errorf("no glyph for %q", r)
				}
			}
			if plain := signs[f.Family]; !plain && (len(font.GPOS.Lookups) == 0 || len(font.GSUB.Lookups) == 0) {
				t.Errorf("GPOS has %d lookups and GSUB %d, want both kept",
					len(font.GPOS.Lookups), len(font.GSUB.Lookups))
			}
			license, err := os.ReadFile(f.Family + ".OFL.txt")
			if err != nil || !strings.Contains(string(license), "SIL OPEN FONT LICENSE Version 1.1") {
				t.Errorf("no license of the family beside it: %v", err)
			}
		})
	}
}

func TestFind_lackingWeightIsTheNearest(t *testing.T) {
	for _, c := range []struct {
		family string
		weight int
		italic bool
		want   int
		slant  bool
	}{
		{"inter", 700, false, 700, false},
		{"inter", 500, false, 400, false},
		{"inter", 900, false, 800, false},
		{"inter", 400, true, 400, false},
		{"space-grotesk", 800, false, 700, false},
		{"instrument-serif", 700, false, 400, false},
		{"instrument-serif", 700, true, 400, true},
		{"noto-sans-arabic", 600, false, 700, false},
	} {
		got := fonts.Find(c.family, c.weight, c.italic)
		if got == nil || got.Weight != c.want || got.Italic != c.slant {
			t.Errorf("Find(%q, %d, %v) = %+v, want weight %d italic %v",
				c.family, c.weight, c.italic, got, c.want, c.slant)
		}
	}
	if got := fonts.Find("comic-sans", 400, false); got != nil {
		t.Errorf("Find of an unknown family = %s, want nil", got.Family)
	}
}

// TestFamilies_filesAndTableAreThoseListed holds the embedded files and the table of README.md to families.json.
func TestFamilies_filesAndTableAreThoseListed(t *testing.T) {
	sizes, err := fonts.Files()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	table := strings.ReplaceAll(string(page), ",", "")
	for _, f := range fonts.All() {
		size, ok := sizes[f.Name()+".ttf"]
		if !ok {
			t.Errorf("families.json lists %s, which is not embedded: run task fonts", f.Name())
		}
		weight := strings.Replace(strings.TrimPrefix(f.Name(), f.Family+"-"), "-", " ", 1)
		cells, bytes := fmt.Sprintf("| %s | %s |", f.Family, weight), fmt.Sprintf("| %d | `", size)
		if !strings.Contains(table, cells) || !strings.Contains(table, bytes) {
			t.Errorf("README.md has no line for %s with %d bytes", f.Name(), size)
		}
		delete(sizes, f.Name()+".ttf")
	}
	for name := range sizes {
		t.Errorf("%s is embedded, but families.json does not list it", name)
	}
}

func TestFamilies_defaultIsFirst(t *testing.T) {
	if got := fonts.Families()[0]; got != fonts.Default {
		t.Errorf("the first family is %s, want %s", got, fonts.Default)
	}
}

func BenchmarkParseInter(b *testing.B) {
	face := fonts.Find("inter", 700, false)
	for b.Loop() {
		fonts.Reparse(face)
	}
}
