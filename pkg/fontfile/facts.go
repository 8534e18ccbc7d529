package fontfile

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Bits of OS/2.fsType. Source: OpenType, OS/2.
const (
	usage       = 0x000f // the right to embed: 0 is any, and of several bits the freest counts
	restricted  = 0x0002 // must not be embedded
	bitmapsOnly = 0x0200 // only bitmaps may be embedded
)

// facts reads what a font says about itself, and refuses one whose license flags forbid its use.
func (t tables) facts() (f Font, err error) {
	os2, head := reader(t["OS/2"]), reader(t["head"])
	f.Ext = ".ttf"
	if len(t["glyf"]) == 0 && len(t["CFF "]) > 0 {
		f.Ext = ".otf"
	}
	if len(os2) >= 64 {
		flags := orZero(os2.u16(8))
		if flags&usage == restricted || flags&bitmapsOnly != 0 {
			return f, refuse("The font's license flags (fsType in its table OS/2) forbid embedding it. Ask its foundry for a " +
				"version that may be embedded, or use another font.")
		}
		f.MinWeight = orZero(os2.u16(4))
		f.Italic = orZero(os2.u16(62))&1 != 0
	} else {
		style := orZero(head.u16(44))
		f.Italic = style&2 != 0
		f.MinWeight = 400
		if style&1 != 0 {
			f.MinWeight = 700
		}
	}
	if f.MinWeight < 10 { // some old fonts count from 1 to 9
		f.MinWeight *= 100
	}
	f.MinWeight = min(max(f.MinWeight, 1), 1000)
	f.MaxWeight = f.MinWeight
	if least, most, ok := t.weightAxis(); ok {
		f.MinWeight, f.MaxWeight = least, most
	}
	if f.Family = familyIn(t["name"]); f.Family == "" {
		return f, refuse("The font doesn't say the name of its family (in its table name), by which designs would use it.")
	}
	return f, nil
}

// weightAxis returns the weights of a variable font.
func (t tables) weightAxis() (least, most int, ok bool) {
	fvar := reader(t["fvar"])
	offset, count, size := orZero(fvar.u16(4)), orZero(fvar.u16(8)), orZero(fvar.u16(10))
	if len(t["gvar"]) == 0 || size < 20 {
		return 0, 0, false
	}
	for i := range count {
		axis, err := fvar.from(offset + i*size)
		if err != nil || len(axis) < 20 {
			return 0, 0, false
		}
		if string(axis[:4]) == "wght" {
			least, most = orZero(axis.u16(4)), orZero(axis.u16(12)) // the whole parts of fixed-point numbers
			return least, most, least >= 1 && least <= most && most <= 1000
		}
	}
	return 0, 0, false
}

// Names of a font. Source: OpenType, name.
const (
	familyName      = 1
	typographicName = 16
	windows         = 3
	macintosh       = 1
	americanEnglish = 0x409
)

// familyIn returns the name of the family in the table of names: the typographic one if there is one, in English if
// there is that.
func familyIn(table []byte) string {
	r := reader(table)
	count, texts := orZero(r.u16(2)), orZero(r.u16(4))
	best, rank := "", 0
	for i := range count {
		record, err := r.from(6 + 12*i)
		if err != nil || len(record) < 12 {
			break
		}
		platform, language, id := orZero(record.u16(0)), orZero(record.u16(4)), orZero(record.u16(6))
		start := texts + orZero(record.u16(10))
		raw, err := r.span(start, start+orZero(record.u16(8)))
		if err != nil || id != familyName && id != typographicName || platform != windows && platform != macintosh {
			continue
		}
		value := 1
		for i, better := range []bool{platform == windows, language == americanEnglish, id == typographicName} {
			if better {
				value += 1 << i
			}
		}
		name := cleanName(decode(raw, platform))
		if id == familyName {
			name = withoutWeight(name)
		}
		if name != "" && value > rank {
			best, rank = name, value
		}
	}
	return best
}

// decode returns a name as text.
func decode(raw []byte, platform int) string {
	raw = raw[:min(len(raw), 4*maxFamily)]
	if platform == macintosh { // Mac OS Roman; only its ASCII is read
		return strings.Map(func(r rune) rune {
			if r >= 0x80 {
				return -1
			}
			return r
		}, string(raw))
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	return string(utf16.Decode(units))
}

// weightNames are the ends of names of families that have only one weight, and no typographic name.
var weightNames = strings.Fields("Thin Hairline ExtraLight UltraLight Light Book Regular Medium SemiBold DemiBold " +
	"Demi Bold ExtraBold UltraBold Black Heavy ExtraBlack UltraBlack")

// withoutWeight returns the name of a family without a weight at its end.
func withoutWeight(name string) string {
	head, last, ok := cutLast(name)
	for _, prefix := range [...]string{"Extra", "Ultra", "Semi", "Demi"} {
		if before, word, two := cutLast(head); two && strings.EqualFold(word, prefix) {
			head, last = before, word+last
		}
	}
	if ok && slices.ContainsFunc(weightNames, func(w string) bool { return strings.EqualFold(w, last) }) {
		return head
	}
	return name
}

func cutLast(name string) (head, last string, ok bool) {
	i := strings.LastIndexByte(name, ' ')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

// cleanName keeps what a name may have in a style sheet: letters, digits, single spaces and a few signs.
func cleanName(name string) string {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.+&", r)
	}), " ")
	runes := []rune(name)
	return strings.TrimSpace(string(runes[:min(len(runes), maxFamily)]))
}
