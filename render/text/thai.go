package text

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/language"
)

var (
	// thaiNumbers precede a classifier.
	thaiNumbers = strings.Fields(`หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ ยี่สิบ ร้อย พัน หมื่น แสน
		ล้าน หลาย กี่ ครึ่ง`)
	// thaiPrepositions precede what they belong to: in, of, to, from, and, or, with, by, for, that; and words that make
	// nouns: the act of, -ness, -er, -ist, people of, cost of, region, as.
	thaiPrepositions = wordSet(`ใน ของ สู่ จาก และ หรือ กับ
		โดย เพื่อ ที่ ซึ่ง แก่ ต่อ ถึง แห่ง
		การ ความ ผู้ นัก ชาว ค่า ภาค แบบ
		โรค เกาะ กรุง เชิง`)
	// thaiPrefixes are those that are the first part of a word.
	thaiPrefixes = wordSet(`การ ความ ผู้ นัก ชาว ค่า ภาค
		โรค เกาะ กรุง เชิง`)
	// thaiWholes are words that the dictionary has in parts. The first of them, the Great, also ends names.
	thaiWholes = strings.Fields(`มหาราช เกี่ยวกับ แป้นพิมพ์
		ยอมแพ้ บทสัมภาษณ์ โซนร้อน
		บุคคลธรรมดา เรื่องจริง ทีละ คนละ
		หน่วยละ วันละ ปีละ ครั้งละ รับผิดชอบ
		ใช้งาน ผู้เชี่ยวชาญ อาเซียนคัพ
		เศรษฐกิจโลก หน้าหนาว หน้าร้อน หน้าฝน
		เบื้องหลัง ขั้นตอน ค่าใช้จ่าย คนไทย
		เมืองไทย ตัวอย่าง ทั้งหมด ด้วยตัวเอง
		ทำเอง ตัวเอง พร้อมเพย์ เป๋าตัง`)
	// thaiLeads precede a number: the year, the day, the size, the price, aged, only, per cent, around, down, than,
	// within, nearly, about, to, left, level, rank.
	thaiLeads = strings.Fields(`ปี ที่ ขนาด ราคา อายุ เพียง
		ร้อยละ รอบ ลด กว่า ภายใน เกือบ
		ประมาณ ถึง เหลือ ระดับ อันดับ`)
)

// thaiPenalty returns the penalty of a line that ends between two Thai words: high if its last word is the first part
// of one, or the words are all that is between two spaces, such as a name.
func (p *paragraph) thaiPenalty(b lineBreak) float64 {
	word := p.thaiWordBefore(b)
	switch {
	case word == "":
		return 0
	case p.shortThai(b.end):
		return penaltyBetween
	case p.insideThaiWhole(b.end):
		return penaltyBound
	case thaiPrefixes[word]:
		return penaltyPrefix
	case thaiPrepositions[word]:
		return penaltyShortWord
	}
	return 0
}

// insideThaiWhole reports whether a break before runes[i] is inside one of thaiWholes, or before the Great, which ends
// a name.
func (p *paragraph) insideThaiWhole(i int) bool {
	const longest = 12
	around := string(p.runes[max(i-longest, 0):min(i+longest, len(p.runes))])
	at := len(string(p.runes[max(i-longest, 0):i]))
	for _, w := range thaiWholes {
		for from := 0; ; {
			k := strings.Index(around[from:], w)
			if k < 0 {
				break
			}
			if k += from; k < at && k+len(w) > at || k == at && w == thaiWholes[0] {
				return true
			}
			from = k + len(w)
		}
	}
	return false
}

// thaiWordBefore returns the last word of a line that ends at b, if that is Thai.
func (p *paragraph) thaiWordBefore(b lineBreak) string {
	if b.end == 0 || scriptOf(p.runes[b.end-1]) != language.Thai {
		return ""
	}
	for i := len(p.breaks) - 1; i >= 0; i-- {
		if start := p.breaks[i].next; start < b.end {
			return string(p.runes[start:b.end])
		}
	}
	return string(p.runes[:b.end])
}

// shortThai reports whether runes[i] is inside a few Thai letters between two spaces. Names are written so, and their
// parts aren't in the dictionary.
func (p *paragraph) shortThai(i int) bool {
	const most = 8 // letters, without marks above and below
	start, end := i, i
	for start > 0 && i-start <= 2*most && !blank(p.runes[start-1]) {
		start--
	}
	for end < len(p.runes) && end-i <= 2*most && !blank(p.runes[end]) {
		end++
	}
	letters := 0
	for _, r := range p.runes[start:end] {
		if !unicode.Is(unicode.Mn, r) {
			letters++
		}
	}
	return letters <= most
}
