package kit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Number is the number that a title is about, with its unit.
type Number struct {
	// Text is the number as it is in the title: "73%", "$1.2bn", "1 in 4".
	Text       string
	Start, End int     // its bytes in the title
	Share      float64 // of a whole, from 0 to 1; 0 if it is none
}

// Rest returns what a title says after its number.
func (n Number) Rest(title string) string {
	return strings.TrimLeftFunc(title[min(n.End, len(title)):], func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(":;,.–—-、，：", r)
	})
}

// Before returns what a title says before a number at its end, after a comma or a dash: “Heat pump KX-112, 11.2 kW”. It
// is "" if the number is elsewhere.
func (n Number) Before(title string) string {
	before := strings.TrimRightFunc(title[:n.Start], unicode.IsSpace)
	bare := strings.TrimRight(before, ",–—，、")
	if n.End < len(title) || bare == before {
		return ""
	}
	return strings.TrimRightFunc(bare, unicode.IsSpace)
}

// Parts of the expression of a number with a unit. A space in it may be one that doesn't break.
const (
	numberDigit = `[0-9٠-٩۰-۹०-९]`
	numberSpace = `[ \x{A0}\x{202F}\x{2009}]?`
	numberSign  = `[+−–±~≈<>≤≥-]?`
	numberMoney = `(?:(?:US|C|A|R|NZ|HK|S)?\$|€|£|¥|￥|₹|₩|₽|₺|₫|₪|฿|₴|₦|CHF|EUR|USD|GBP)`
	numberCore  = `(?:` + numberDigit + `{1,3}(?:[ .,'’٬\x{A0}\x{202F}\x{2009}]` + numberDigit + `{3})+|` +
		numberDigit + `+)` + `(?:[.,٫]` + numberDigit + `+)?`
	// numberMany are the words and letters for thousands and more, of which there may be two: 44 mil millones.
	numberMany = numberOneMany + `(?:` + numberSpace + numberOneMany + `)?`
	// numberOneMany is one of numberMany.
	numberOneMany = `(?:[Mm]illions?|[Bb]illions?|[Tt]rillions?|[Tt]housand|Millionen|Milliarden?|[Mm]illiards?|` +
		`[Mm]illones|milhões|bilhões|milioni|miliardi|miljoen|miljard|miljoner|miljarder|millioner|milliarder|` +
		`Mio\.?|Mrd\.?|Mds?|` +
		`trilhões|(?:mi|bi|tri)lhão|लाख|करो(?:ड़|\x{95C})|ह(?:ज़?|\x{95B})ार|अरब|` +
		`(?:ร้อย|พัน|หมื่น|แสน|ล้าน)?ล้าน|แสน|หมื่น|` +
		`ألفًا|ألف|آلاف|مليونًا|ملايين|مليارات|تريليون|` +
		`mln\.?|mld\.?|mrd\.?|mio\.?|bn|tn|млн\.?|млрд\.?|тыс\.?|` +
		`百万|千万|百亿|千亿|万亿|萬億|万|萬|億|亿|兆|천만|만|억|조|مليون|مليار|mil|[kKM])`
	// numberUnit are units that a number of a title has; a lone h or K is a clock time or a resolution as often.
	numberUnit = `(?:ms|µs|ns|sec|min|hours?|km/h|mph|km|cm|mm|nm|µm|kg|mg|kB|KB|MB|GB|TB|PB|MiB|GiB|kHz|MHz|GHz|Hz|` +
		`kWh|MWh|GWh|TWh|kW|MW|GW|W|°C|°F|°|fps|px|ml|m²|m2|m|s|g|t|l|L|V|` +
		`บาท|ดอลลาร์|` +
		`欧元|美元|港元|英镑|ドル|ユーロ|달러|유로|[个個]百分[点點]|(?:平方)?公里|毫秒|` +
		`(?:[千兆吉]瓦[时時]?|[吨噸]|公斤|平方米|人次|立方米|公[顷頃])|` +
		`人|円|元|点|本|年|日|時間|分|秒|名|명|원|년|초|분)`
)

// The expressions of numbers, each at the beginning of a text. What they end in is judged by numberEnds.
var (
	numberWithUnit = regexp.MustCompile(`^(` + numberSign + `)(` + numberMoney + numberSpace + `)?(` + numberCore + `)` +
		`(?:` + numberSpace + `([%٪％‰]|[×xX]|倍|배))?` +
		`(?:` + numberSpace + `(` + numberMany + `))?` + `(?:` + numberSpace + `(` + numberMoney + `|` + numberUnit + `))?`)
	// rangeGoesOn is what follows the first number of a range: “–€110k” after “€85k”.
	rangeGoesOn = regexp.MustCompile(`^[-–~～〜]` + numberMoney + `?` + numberSpace + numberDigit)
	// partOfYears is what makes a year of a number with 年, or a word of both: 115年度, 10年もの.
	partOfYears = regexp.MustCompile(`^(?:度|版|[0-9]|[春夏秋冬]|もの|越し|目|来|以来)`)
	// eras are before a year: 民國115年.
	eras = regexp.MustCompile(`(?:民[國国]|令和|平成|昭和|大正|明治|公元|西[元暦曆历]|佛[曆历])[ ]?$`)
	// Shares in words: how many in how many.
	numberInNumber = regexp.MustCompile(`^([0-9]{1,3}) (?:in|of|out of|von|sur|su|de cada|van de|av|af|из|з) ([0-9]{1,3})`)
	// The same in Japanese, the whole first: four persons to one person, three parts' one.
	numberOfWhole = regexp.MustCompile(`^([0-9]{1,3})(?:人に|分の)([0-9]{1,3})人?`)
)

// partWords are what a number is preceded by if it counts parts: part 1 of 4 is no share.
var partWords = strings.Fields("part parts episode chapter page step day week volume vol no teil folge kapitel seite " +
	"tag partie épisode chapitre parte capítulo episodio capitolo deel del часть")

// FigureIn returns the number that a title is about: a percentage, money, a multiple, a ratio, or a number with a unit;
// never a year, a version, the length of a list, a model's name or a clock time. Of two such numbers, neither is what
// the title is about.
func FigureIn(title string) (n Number, ok bool) {
	for at := 0; at < len(title); {
		r, size := utf8.DecodeRuneInString(title[at:])
		found, end := Number{}, 0
		if numberMayBegin(title, at, r) {
			found, end = numberAt(title, at)
		}
		if end == 0 {
			at += size
			continue
		}
		if found.Text != "" && ok {
			return Number{}, false
		}
		if found.Text != "" {
			n, ok = found, true
		}
		at = end
	}
	return n, ok
}

// numberMayBegin reports whether a number can begin with r at a position: not within a word, another number, a version,
// a range or an address.
func numberMayBegin(s string, at int, r rune) bool {
	if !unicode.IsDigit(r) && !unicode.Is(unicode.Sc, r) && !strings.ContainsRune("+−–±~≈<>≤≥-", r) &&
		!strings.ContainsRune("CUERANHSG", r) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	switch {
	case at == 0 || unicode.IsSpace(before):
		return true
	case unicode.IsLetter(before): // these scripts have no spaces between words
		return before >= firstSpaceless
	}
	return strings.ContainsRune("(“„«‘\"'「『（：:—", before)
}

// firstSpaceless is the first character of the blocks of Thai and of the scripts of East Asia.
const firstSpaceless = 0x0E00

// numberAt returns the number at a position, without a text if it isn't one that a title is about, and the end of its
// characters; 0 if there is none.
func numberAt(s string, at int) (n Number, end int) {
	if m := numberInNumber.FindStringSubmatchIndex(s[at:]); m != nil && numberEnds(s, at+m[1]) {
		a, _ := strconv.Atoi(s[at+m[2] : at+m[3]])
		b, _ := strconv.Atoi(s[at+m[4] : at+m[5]])
		words := strings.Fields(strings.ToLower(s[:at]))
		part := len(words) > 0 && slices.Contains(partWords, strings.Trim(words[len(words)-1], ".:("))
		if a > 0 && a < b && !part {
			return Number{s[at : at+m[1]], at, at + m[1], float64(a) / float64(b)}, at + m[1]
		}
	}
	if m := numberOfWhole.FindStringSubmatchIndex(s[at:]); m != nil {
		whole, _ := strconv.Atoi(s[at+m[2] : at+m[3]])
		part, _ := strconv.Atoi(s[at+m[4] : at+m[5]])
		if part > 0 && part < whole {
			return Number{s[at : at+m[1]], at, at + m[1], float64(part) / float64(whole)}, at + m[1]
		}
	}
	m := numberWithUnit.FindStringSubmatchIndex(s[at:])
	if m == nil {
		return Number{}, 0
	}
	if dash := rangeGoesOn.FindString(s[at+m[1]:]); dash != "" { // neither end of a range is what the title is about
		return Number{}, at + m[1] + len(dash) // within the other number, so that it isn't found either
	}
	for last := 6; last > 3 && !numberEnds(s, at+m[1]); last-- { // “40% more” isn't 40 % in meters
		if m[2*last] >= 0 {
			m[1], m[2*last] = endBefore(m, last), -1
		}
	}
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return s[at+m[2*i] : at+m[2*i+1]]
	}
	end = at + m[1]
	sign, money, core, ratio, many, unit := group(1), group(2), group(3), group(4), group(5), group(6)
	value := numberValue(core)
	switch {
	case !numberEnds(s, end):
		return Number{}, end
	case strings.Contains(core, " ") && !spacedNumber(s[:at], core, money+unit):
		return Number{}, end
	case money+ratio+many+unit == "":
		return Number{}, end
	case money == "" && unit == "" && ratio == "" && (many == "k" || many == "K" || many == "M") && value < 20:
		return Number{}, end // 4K, 10K, 3M: a resolution, a race, a company
	case (unit == "年" || unit == "년") &&
		(isYear(core, value) || partOfYears.MatchString(s[end:]) || eras.MatchString(s[:at])):
		return Number{}, end
	case many != "" && unit == "" && unicode.Is(unicode.Han, []rune(many)[0]) && IsIdeogram(firstOf(s[end:])):
		return Number{}, end // its unit isn't known
	case unit == "日" || unit == "分" && value < 60 || unit == "時間" && value < 24 || unit == "분" && value < 60:
		return Number{}, end // as often a date or a clock time
	case unit == "人" && strings.ContainsAny(firstOf(s[end:]), "分前份"):
		return Number{}, end // servings
	case (unit == "秒" || unit == "초") && strings.ContainsAny(lastOf(s[:at]), "分분"):
		return Number{}, end // the rest of minutes and seconds
	}
	n = Number{Text: strings.TrimSpace(s[at:end]), Start: at, End: end}
	if strings.ContainsAny(ratio, "%٪％") && !strings.ContainsAny(sign, "+−–±<>≤≥-") && value <= 100 {
		n.Share = value / 100
	}
	return n, end
}

// spacedNumber reports whether digits with spaces between them are one number, as in 300 000 ₽ and 1 250 €: not a
// model's name or a count before another number, as in “iPhone 15 128 GB” and “2 500 ml bottles”.
func spacedNumber(before, core, unit string) bool {
	if strings.HasSuffix(core, " 000") {
		return true
	}
	words := strings.Fields(before)
	named := len(words) > 0 && strings.ContainsFunc(words[len(words)-1], unicode.IsUpper)
	return !named && strings.ContainsFunc(unit, func(r rune) bool { return unicode.Is(unicode.Sc, r) })
}

// firstOf returns the first character of a text.
func firstOf(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

// lastOf returns the last character of a text, but for spaces.
func lastOf(s string) string {
	s = strings.TrimRight(s, " ")
	_, size := utf8.DecodeLastRuneInString(s)
	return s[len(s)-size:]
}

// endBefore returns where a match of numberWithUnit ends without its group last.
func endBefore(m []int, last int) int {
	for i := last - 1; i > 3; i-- {
		if m[2*i] >= 0 {
			return m[2*i+1]
		}
	}
	return m[7]
}

// numberEnds reports whether a number can end at a position: not before the rest of a word, a version, a range or
// a sum.
func numberEnds(s string, end int) bool {
	last, _ := utf8.DecodeLastRuneInString(s[:end])
	next, size := utf8.DecodeRuneInString(s[end:])
	after, _ := utf8.DecodeRuneInString(s[min(end+size, len(s)):])
	switch {
	case size == 0:
		return true
	case unicode.IsDigit(next):
		return false
	case last >= firstSpaceless && slices.ContainsFunc(countedOn, func(w string) bool { return strings.HasPrefix(s[end:], w) }):
		return false
	case unicode.Is(unicode.Hangul, last) && unicode.Is(unicode.Hangul, next):
		return followsKoreanCounter(s[end:])
	case unicode.IsLetter(next):
		return last >= firstSpaceless || next >= firstSpaceless || strings.ContainsRune("%٪°", last)
	}
	return !(strings.ContainsRune("-–—/:.,+〜～", next) && unicode.IsDigit(after))
}

// countedOn are what follows a Japanese or Chinese counter in its word, which says more than the number: 10年もの is ten
// years old.
var countedOn = strings.Fields("もの モノ ぶり 目 越し 来 前 後 后 生 级 級")

// koreanEnds are what follows a Korean counter in its word: particles, and counters of more than it.
var koreanEnds = strings.Fields("을 를 이 가 은 는 의 에 에서 로 으로 도 만 과 와 까지 부터 보다 이나 짜리 간 째 원 명 개 건 회 " +
	"달러 여 이상 이하 대")

// followsKoreanCounter reports whether a counter or a magnitude can end before the rest of a word: 만 is ten thousand
// in 3만원, but not in 만약.
func followsKoreanCounter(rest string) bool {
	word := rest[:len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }))]
	for _, end := range koreanEnds {
		if after, ok := strings.CutPrefix(word, end); ok && (after == "" || slices.Contains(koreanEnds, after)) {
			return true
		}
	}
	return false
}

// numberValue returns the value of digits with marks between them; the last mark is the decimal one unless three digits
// follow it.
func numberValue(core string) float64 {
	var b strings.Builder
	last := strings.LastIndexAny(core, ".,٫")
	for i, r := range core {
		switch {
		case i == last && utf8.RuneCountInString(core[i:]) != 4:
			b.WriteByte('.')
		case unicode.IsDigit(r):
			b.WriteByte(byte('0' + digitValue(r)))
		}
	}
	v, err := strconv.ParseFloat(b.String(), 64)
	if err != nil {
		return 0
	}
	return v
}

// digitValue returns the value of a decimal digit of any of the scripts of numberDigit.
func digitValue(r rune) rune {
	for _, zero := range [...]rune{'0', '٠', '۰', '०'} {
		if r >= zero && r <= zero+9 {
			return r - zero
		}
	}
	return 0
}

// isYear reports whether digits may be those of a year, also of the Buddhist era.
func isYear(core string, value float64) bool { return len(core) == 4 && value >= 1000 && value < 2700 }
