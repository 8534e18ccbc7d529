package kit

import (
	"cmp"
	"strconv"
	"strings"
)

// compact is how a language shortens large numbers: the sign before a decimal, and, from the largest on, units with the
// forms that they have after a number.
type compact struct {
	point string
	units []unit
}

type unit struct {
	of   int
	form string
}

// thousands is a language with forms of a thousand and a million. Without the former, such numbers are whole, with dots
// between thousands.
func thousands(thousand, million string) compact {
	c := compact{",", []unit{{1e6, million}}}
	if thousand != "" {
		c.units = append(c.units, unit{1e3, thousand})
	}
	return c
}

// compacts are the languages that don't write 12.4k as English forges do. Source: Unicode CLDR, decimalFormats/short;
// in Japanese and Chinese, numbers below 10,000 are whole.
var compacts = map[string]compact{
	"de": thousands("", " Mio."), "it": thousands("", " Mln"), "fr": thousands(" k", " M"), "es": thousands(" mil", " M"),
	"pt": thousands(" mil", " mi"), "nl": thousands("K", " mln."), "sv": thousands(" tn", " mn"),
	"da": thousands(" t", " mio."), "nb": thousands("k", " mill."), "fi": thousands(" t.", " milj."),
	"pl": thousands(" tys.", " mln"), "cs": thousands(" tis.", " mil."), "ru": thousands(" тыс.", " млн"),
	"uk": thousands(" тис.", " млн"), "tr": thousands(" B", " Mn"), "vi": thousands(" N", " Tr"), "id": thousands(" rb", " jt"),
	"el": thousands(" χιλ.", " εκ."), "ja": {".", []unit{{1e4, "万"}}}, "zh": {".", []unit{{1e4, "万"}}},
	"zh-hant": {".", []unit{{1e4, "萬"}}}, "ko": {".", []unit{{1e4, "만"}, {1e3, "천"}}},
	"ar": {".", []unit{{1e6, " مليون"}, {1e3, " ألف"}}}, "hi": {".", []unit{{1e5, " लाख"}, {1e3, " हज़ार"}}},
}

// StarsShort writes the number of stars as its language does: “37”, “12.4k”, “3,3 k”; "" if it is unknown.
func (p Project) StarsShort(lang string) string {
	if p.Stars <= 0 {
		return ""
	}
	c, ok := compacts[numbersOf(lang)]
	if !ok {
		c = compact{".", []unit{{1e6, "m"}, {1e3, "k"}}}
	}
	for i, u := range c.units {
		n := float64(p.Stars) / float64(u.of)
		short := strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0")
		larger := i > 0 && short == strconv.Itoa(c.units[i-1].of/u.of) // 999,950 is a million
		if larger {
			return "1" + noBreak(c.units[i-1].form)
		}
		if n >= 1 {
			return strings.Replace(short, ".", c.point, 1) + noBreak(u.form)
		}
	}
	whole, between := strconv.Itoa(p.Stars), ","
	if c.point == "," {
		between = "."
	}
	if len(whole) < len("1000") || len(c.units) > 1 {
		return whole
	}
	return whole[:len(whole)-3] + between + whole[len(whole)-3:]
}

// noBreak returns a form of a number without a space at which lines break.
func noBreak(form string) string { return strings.Replace(form, " ", "\u00a0", 1) }

// numbersOf returns the language of a tag as compacts names it.
func numbersOf(lang string) string {
	lang = strings.ToLower(strings.ReplaceAll(lang, "_", "-"))
	switch {
	case strings.HasPrefix(lang, "zh-hant"), lang == "zh-tw", lang == "zh-hk", lang == "zh-mo":
		return "zh-hant"
	}
	lang, _, _ = strings.Cut(lang, "-")
	return cmp.Or(map[string]string{"no": "nb", "nn": "nb", "in": "id"}[lang], lang)
}
