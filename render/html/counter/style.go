package counter

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Style is how a counter is written: a counter style.
type Style uint8

// The counter styles.
const (
	Disc Style = iota
	Circle
	Square
	Decimal
	None
	LowerAlpha
	UpperAlpha
	LowerRoman
	UpperRoman
	DecimalZero
	LowerGreek
	Hiragana
	Katakana
	CJKDecimal
	ArabicIndic
	Persian
	Devanagari
	Bengali
	Thai
	Text // the text of a list-style-type, which isn't a counter
)

// Styles are the styles by their names.
var Styles = map[string]Style{
	"disc": Disc, "circle": Circle, "square": Square, "decimal": Decimal, "none": None, "lower-alpha": LowerAlpha,
	"lower-latin": LowerAlpha, "upper-alpha": UpperAlpha, "upper-latin": UpperAlpha, "lower-roman": LowerRoman,
	"upper-roman": UpperRoman, "decimal-leading-zero": DecimalZero, "lower-greek": LowerGreek, "hiragana": Hiragana,
	"katakana": Katakana, "cjk-decimal": CJKDecimal, "arabic-indic": ArabicIndic, "persian": Persian,
	"devanagari": Devanagari, "bengali": Bengali, "thai": Thai,
}

// zeros are the digits 0 of numeric styles; the others follow them.
var zeros = map[Style]rune{ArabicIndic: '٠', Persian: '۰', Devanagari: '०', Bengali: '০', Thai: '๐'}

// alphabets are the symbols of alphabetic styles. Source: CSS Counter Styles 3, 6.2.
var alphabets = map[Style]string{
	LowerAlpha: "abcdefghijklmnopqrstuvwxyz", UpperAlpha: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	LowerGreek: "αβγδεζηθικλμνξοπρστυφχψω",
	Hiragana:   "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわゐゑをん",
	Katakana:   "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヰヱヲン",
}

// Symbol reports whether a style is a symbol, whatever the value.
func (s Style) Symbol() bool { return s == Disc || s == Circle || s == Square }

// Suffix is what follows the number of a list item.
func (s Style) Suffix() string {
	switch s {
	case Disc, Circle, Square:
		return " "
	case None, Text:
		return ""
	case Hiragana, Katakana, CJKDecimal:
		return "、"
	}
	return ". "
}

// Format writes a value. Values that a style can't write are decimal.
func (s Style) Format(n int) string {
	switch s {
	case None, Text:
		return ""
	case Disc:
		return "•"
	case Circle:
		return "◦"
	case Square:
		return "▪"
	case DecimalZero:
		if n >= 0 && n < 10 {
			return "0" + strconv.Itoa(n)
		}
		if n < 0 && n > -10 {
			return "-0" + strconv.Itoa(-n)
		}
	case LowerRoman, UpperRoman:
		if n < 1 || n > 3999 {
			break
		}
		if s == UpperRoman {
			return strings.ToUpper(roman(n))
		}
		return roman(n)
	case CJKDecimal:
		if n >= 0 {
			return digits(n, func(d byte) string { return string([]rune("〇一二三四五六七八九")[d]) })
		}
	}
	if zero, ok := zeros[s]; ok {
		return digits(n, func(d byte) string { return string(zero + rune(d)) })
	}
	if symbols := alphabets[s]; symbols != "" && n > 0 {
		return letters(n, symbols)
	}
	return strconv.Itoa(n)
}

func digits(n int, digit func(d byte) string) string {
	var b strings.Builder
	for _, c := range []byte(strconv.Itoa(n)) {
		if c == '-' {
			b.WriteByte(c)
			continue
		}
		b.WriteString(digit(c - '0'))
	}
	return b.String()
}

func letters(n int, symbols string) (text string) {
	list, count := []rune(symbols), utf8.RuneCountInString(symbols)
	for ; n > 0; n = (n - 1) / count {
		text = string(list[(n-1)%count]) + text
	}
	return text
}

func roman(n int) string {
	var b strings.Builder
	for _, d := range []struct {
		n int
		s string
	}{
		{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"},
		{9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"},
	} {
		for ; n >= d.n; n -= d.n {
			b.WriteString(d.s)
		}
	}
	return b.String()
}
