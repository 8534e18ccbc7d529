package text

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/language"
)

// Words that are never parted from the next one.
var (
	// titles precede a name, with or without a full stop.
	titles = wordSet(`Mr Mrs Ms Sir Dame Dr Prof Rev St Hr Fr Mme M Sr Sra Mlle Dra Hon Gen Capt Lt Sgt г-н г-жа
		Pr Dre Mgr Lic Ing Mª M.ª Fco проф акад д-р г ул пр им
		Profa प्रो पं स्व डॉ ดร ` + hindiInitials)
	// nameParticles are between a person's title and the name: Mme de La Tour.
	nameParticles = wordSet(`de du des la von van der den del della di da dos`)
	// numbered precede a number, with a full stop.
	numbered = wordSet(`No Nr Vol Fig Figs Ch Sec Art Abb Kap Bd Aufl ca approx Nos núm pág
		Abs Apt Az Rn Ziff art chap pp
		ул д кв корп стр рис гл т п`)
	// magnitudes are abbreviations between a number and its noun, with a full stop: 5 tys. lat.
	magnitudes = wordSet(`tys tis mln mld mil тыс млн млрд Mio Mrd`)
	// magnitudeWords are words between digits and a noun, in small letters: 30 milhões, 5 लाख.
	magnitudeWords = wordSet(`mil milhão milhões bilhão bilhões trilhão trilhões tys
		million billion trillion millions milliards millones millionen milliarde milliarden billionen тыс млн млрд mln mld
		हज़ार हजार लाख करोड़ अरब
		ألف ألفًا آلاف مليون مليونًا ملايين مليار مليارات تريليون`)
	// ordinals are what the digits of an ordinal number end in: 1er, 5th, 11-й.
	ordinals = wordSet(`er re ère e ème nd st rd th º ª й го я му`)
	// ranges are words between two numbers: 12 إلى 14.
	ranges = wordSet(`إلى حتى से a à al do до`)
	// hindiOrdinals are the endings of digits that count a noun: 81वाँ.
	hindiOrdinals = wordSet(`वाँ वां वीं वें वा`)
	// numberSigns precede what a thing is numbered with, which may begin with letters: № БС-4.
	numberSigns = wordSet(`№ N.º n.º Nº nº N° n° §`)
	// streets precede the name of a street, whose number follows.
	streets = wordSet(`ul. al. pl. os. ул. пр. просп. пер. пл. наб. бул.
		calle Calle avda. Avda. avenida Avenida plaza Plaza`)
	// versions precede a number.
	versions = wordSet(`v V version Version n° N° nº Nº n.º N.º № § p pp bis`)
	// operators stand between two terms, each of which they stay with.
	operators = wordSet(`= ≠ < > ≤ ≥ ≈ × + − ± ÷ ∈ ⊂ → ← ↔ ⇒ ⇔`)
	// firms and generations follow a name.
	firms = wordSet(`Inc Ltd Co GmbH AG SE KG S.A S.A.S SpA S.p.A LLC LLP PLC plc AB AS A/S Oy B.V N.V Jr Sr II III IV`)
	// currencies stand before or after their number.
	currencies = wordSet(`€ $ £ ¥ ₹ ₽ ₩ ₺ ₴ zł Kč Ft kr lei лв USD EUR GBP JPY CHF CNY INR CAD AUD SEK NOK DKK PLN
		CZK Rs R$ US$`)
	// units follow a number.
	units = wordSet(`a.m p.m am pm AM PM
		% ‰ ° °C °F K ms s sec min h hr hrs d km m cm mm nm µm kg g mg µg t lb lbs oz ft mi mph
		km/h l L ml GB MB KB kB TB PB GiB MiB KiB TiB GHz MHz kHz Hz W kW MW GW kWh MWh V mV mA Ah mAh dB fps rpm bpm ppm
		AW px pt em rem dpi bit bits Mbps Gbps Mbit Gbit MP x × k M bn Mio Mrd mld mln
		млн млрд тыс руб км м кг г ч мин сек Uhr uur Euro euros
		م كم كغ ث جم ل غيغابايت ميغابايت كيلوبايت تيرابايت ثانية ثوان دقيقة دقائق ساعة ساعات يوم يومًا أيام
		شهر شهرًا أشهر سنة سنوات عام عامًا أعوام مرة مرات دولار دولارًا يورو كيلومتر متر
		ريال ريالًا درهم جنيه برميل هـ रुपये रुपए डॉलर
		मिनट घंटे दिन साल प्रतिशत फ़ीसदी फीसदी
		บาท ล้านบาท ล้านล้านบาท
		Mpx Std Min Sek godz pkt proc r M€ Md€ k€ bar Pa hPa kPa kcal kJ J N Nm ha m² km² m³
		ГБ МБ КБ ТБ ГГц МГц Гц Вт кВт мАч мА·ч Мп мм см м² м³ л мл мг
		га км/ч шт чел эт мск год года году roku`)
	// frenchUnits are those of bytes.
	frenchUnits = wordSet(`Ko Mo Go To`)
	// koreanNumbers are native numerals before a counter.
	koreanNumbers = wordSet(`한 두 세 석 네 넉 다섯 여섯 일곱 여덟 아홉 열 열한 열두 열세 열네 열다섯 열여섯 열일곱 열여덟 열아홉 스무 스물 서른 마흔 쉰
		예순 일흔 여든 아흔 백 천 만 몇 첫 수십 수백`)
	// koreanMagnitudes follow digits: 420만.
	koreanMagnitudes = "백천만억조"
	koreanCounters   = strings.Fields(`가지 번째 번 개월 개국 개 명 사람 분 마리 권 장 대 병 잔 살 시간 시 초 일 주일 주 달 년 원 곳 배 회 차 층 단계
		종 편 건 쪽 척 켤레 송이 판 줄 호 화소`)
	// koreanBound are nouns that don't begin a phrase: Mr or Ms, only, thing, way, time, because.
	koreanBound = wordSet(`씨 뿐 뿐이다 뿐입니다 것 것은 것이 것을 것들 수 때 때문에 줄 채`)
	// koreanLeads are words before a number: a year, a month, a week, about, in all, each, every, a.m., p.m.
	koreanLeads = wordSet(`연 월 주 약 총 각 매 제 단 오전 오후`)
	// koreanLimits follow a number and its counter: or more, or less, under, over, within, about, in, for; ago, after, in
	// the year.
	koreanLimits = strings.Fields(`이상 이하 미만 초과 이내 안팎 가량 정도 만에 동안`)
	koreanSpans  = wordSet(`전 후 전에 후에 전까지 차 차에 차의`)
	// koreanThis are next, this and last, before one of koreanTimes.
	koreanThis  = wordSet(`다음 이번 지난`)
	koreanTimes = strings.Fields(`달 주 해 번 날 학기 시즌 분기 세대 회`)
	// koreanSmaller are the units that follow another one: 3분 40초.
	koreanSmaller = map[rune]string{'분': "초", '시': "분", '간': "분", '년': "월개", '월': "일"}
	// arabicGovernors precede a number: by, about, of, at, year, carat, number, minute, edition, article.
	arabicGovernors = wordSet(`بنسبة نحو حوالي من قرابة الساعة عام سنة
		عيار رقم الدقيقة الدقيقتين الدورة المادة`)
	// arabicAmounts do so, too, but a line that ends in one is better than one that ends in the number: price, worth,
	// resolution, capacity, efficiency, from, to, on.
	arabicAmounts = wordSet(`سعر بسعر بقيمة بدقة بسعة بكفاءة عن إلى على`)
)

// hindiInitials are the names of Latin letters, which Hindi writes as initials: पी. वी. सिंधु.
const hindiInitials = "ए बी सी डी ई एफ जी एच आई जे के एल " +
	"एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू"

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// bound reports whether the words around a space at p.runes[end:next] are never parted: a number and its unit, a
// person's title or initials and the name, a name and “Inc.” or “#8”, an operator and its terms, a day and its month.
func (p *paragraph) bound(end, next int) bool {
	before, after := p.wordBefore(end), p.wordAfter(next)
	if len(before) == 0 || len(after) == 0 {
		return false
	}
	last, first := before[len(before)-1], after[0]
	switch {
	case len(before) == 1 && operators[string(before)], len(after) == 1 && operators[string(after)],
		len(after) == 2 && string(after) == "vs" && p.beginsClause(end-len(before)),
		p.eastern && string(before) == "vs":
		return true
	case hangul(last) && p.koreanBound(before, after):
		return true
	case unicode.IsUpper(first) && len(before) <= maxParticle && nameParticles[string(before)] && titled(p.wordBefore(max(end-len(before)-1, 0))):
		return true
	case last == '월' && unicode.IsDigit(before[0]), len(before) == 2 && string(before) == "de":
		return p.daySpans(before, after, end)
	case last == 'e' && string(after) == "que" && p.joinsQue(before):
		return true
	case len(before) == 1 && string(after) == "&", p.namesPlace(before, next): // H & M
		return true
	case len(after) == 2 && string(after) == "de" && p.numeral(before):
		return months[strings.ToLower(string(p.wordAfter(min(next+len(after)+1, len(p.runes)))))]
	case p.numeral(before) && (p.ordinal(end-1) || p.filed(next)), p.abbreviation(before, next):
		return true
	case last == '.' && leadsOnward(string(before[:len(before)-1]), p.style.Lang):
		return !p.followsTitle(end - len(before)) // "Prof. dr hab." may be a line
	case len(before) <= maxNumberSign && numberSigns[string(before)],
		p.isArticleOfName(before, end) && unicode.IsUpper(first):
		return true
	case first == '#' && len(after) > 1 && unicode.IsDigit(after[1]):
		return unicode.IsLetter(last)
	case leans(before, after):
		return true
	case p.endsInDigit(end-len(before)) && magnitudeWords[strings.ToLower(string(before))]:
		return p.followsNumber(after, next)
	case unicode.IsDigit(first):
		return p.leadsNumber(before) || groups(before, after) || p.endsStreet(before, end) ||
			unicode.IsUpper(before[0]) && (len(before) == 1 || isVersion(after) && !p.endsClause(end-1)) || // A 3
			hangul(last) && p.numeral(withoutMagnitude(before)) || // 1만 320원
			scriptOf(before[0]) == language.Thai && (last == '.' || endsInNumber(before, thaiLeads) ||
				endsInNumber(before, thaiOrdinals)) // พ.ศ. 2569
	case p.numeral(before), ordinalWord(before):
		return p.followsNumber(after, next) || hangul(first) && beginsWith(after, koreanLimits)
	case unicode.IsDigit(before[0]) && hangul(first) && beginsWith(after, koreanLimits):
		return true // 6,000Pa 이상
	case len(after) <= maxParticle && nameParticles[string(after)]:
		return titled(before)
	case unicode.IsUpper(first) && len(after) <= maxFirm && firms[string(after)] && unicode.IsUpper(before[0]):
		return true // also after a full stop: Mk. II
	case last == '.':
		bare, counted := before[:len(before)-1], p.endsInDigit(end-len(before))
		return counted && magnitudes[string(bare)] || !(counted && string(bare) == "г") && p.leadsName(bare, first) ||
			doubled(bare) && doubled(after) // EE. UU.
	case unicode.IsUpper(first) && len(before) <= maxFirm && len(before) > 1 && titles[string(before)]:
		return true
	case last >= firstWordScript && last < 0x0e80:
		return p.thaiCounts(lineBreak{end: end, next: next})
	case hangul(last):
		return (koreanNumbers[string(before)] || p.numeral(withoutMagnitude(before))) && beginsWith(after, koreanCounters) ||
			koreanBound[string(after)]
	}
	return false
}

// ordinalWord reports whether a word is digits with the ending of an ordinal number: 1er, 18-го, 90+4-й.
func ordinalWord(word []rune) bool {
	i := 0
	for i < len(word) && (unicode.IsDigit(word[i]) || i > 0 && word[i] == '+') {
		i++
	}
	return i > 0 && i < len(word) && ordinals[strings.TrimLeft(string(word[i:]), "-.")]
}

// groups reports whether two words are digits of one number, with a space between thousands: 300 000.
func groups(before, after []rune) bool {
	const group = 3
	n, m := 0, 0
	for n < len(before) && unicode.IsDigit(before[len(before)-1-n]) {
		n++
	}
	for m < len(after) && unicode.IsDigit(after[m]) {
		m++
	}
	return n > 0 && n <= group && m == group && !strings.ContainsAny(string(before), ".,")
}

// titled reports whether a word is a person's title, with or without a full stop.
func titled(word []rune) bool {
	return len(word) > 1 && titles[strings.TrimSuffix(string(word), ".")]
}

// doubled reports whether a word begins with a capital twice, as abbreviations of plurals do in Spanish.
func doubled(word []rune) bool {
	return len(word) > 1 && len(word) <= 3 && word[0] == word[1] && unicode.IsUpper(word[0])
}

// modelDigits is how many digits without a counter name a model after a Korean word: 아이오닉 9, 아이폰 17.
const modelDigits = 2

// koreanBound reports whether a word that ends in hangul and the next one are never parted: a number and what limits it
// or continues it, a word of one syllable and its number, a name and its letter.
func (p *paragraph) koreanBound(before, after []rune) bool {
	last, first := before[len(before)-1], after[0]
	switch {
	case unicode.IsDigit(first) && unicode.IsDigit(before[0]) && koreanSmaller[last] != "":
		for _, r := range after {
			if hangul(r) {
				return strings.ContainsRune(koreanSmaller[last], r)
			}
		}
		return false
	case unicode.IsDigit(first):
		return koreanLeads[string(before)] || len(after) <= modelDigits && unicode.IsDigit(after[len(after)-1])
	case koreanThis[string(before)]:
		return beginsWith(after, koreanTimes)
	case unicode.IsDigit(before[0]):
		return beginsWith(after, koreanLimits) || koreanSpans[string(after)]
	}
	return len(after) == 1 && unicode.IsUpper(first)
}

// abbreviation reports whether a word is a letter or a person's title with a full stop, and the one at next is a short
// abbreviation, or the name after “h. c.”: Dr. h. c., z. B., Freiburg i. Br.
func (p *paragraph) abbreviation(word []rune, next int) bool {
	const longest = 3 // letters
	n := len(word)
	if n < 2 || word[n-1] != '.' || n > 2 && !titles[string(word[:n-1])] || !unicode.IsLetter(word[0]) {
		return false
	}
	for i := next; i < len(p.runes) && i <= next+longest; i++ {
		if p.runes[i] == '.' {
			return i > next && (n == 2 || i == next+1 && unicode.IsLower(p.runes[next]))
		}
		if !unicode.IsLetter(p.runes[i]) {
			break
		}
	}
	honorary := next > 5 && string(p.runes[next-6:next]) == "h. c. "
	return honorary && unicode.IsUpper(p.runes[next])
}

// ordinal reports whether the full stop at i makes a number an ordinal: “195. Geburtstag”, not “in 2026. Then”.
// Languages with other ones than German write nouns with a small letter. An article begins another sentence: “sind es
// 30. Das”.
func (p *paragraph) ordinal(i int) bool {
	const longest = 3 // digits
	start, grouped := i, false
	for start > 0 && (unicode.IsDigit(p.runes[start-1]) || start < i && p.runes[start-1] == '.') {
		start--
		grouped = grouped || p.runes[start] == '.'
	}
	if p.runes[i] != '.' || start == i || i-start > longest && !grouped || start > 0 && !blank(p.runes[start-1]) ||
		i+2 >= len(p.runes) || !blank(p.runes[i+1]) {
		return false
	}
	next := p.runes[i+2]
	return unicode.IsLower(next) || unicode.IsUpper(next) && primaryLanguage(p.style.Lang) == "de" &&
		!functionWords("de")[strings.ToLower(string(p.wordAfter(i+2)))]
}

// withoutMagnitude returns a Korean number without what follows its digits.
func withoutMagnitude(word []rune) []rune {
	return []rune(strings.TrimRight(string(word), koreanMagnitudes))
}

// endsInDigit reports whether the word before start ends in a digit, or is a magnitude of Hindi whose number does: “4.3
// लाख करोड़”.
func (p *paragraph) endsInDigit(start int) bool {
	if start < 2 || !blank(p.runes[start-1]) {
		return false
	}
	if devanagari(p.runes[start-2]) {
		word := p.wordBefore(start - 1)
		return magnitudeWords[string(word)] && p.endsInDigit(start-1-len(word))
	}
	return unicode.IsDigit(p.runes[start-2])
}

// daySpans reports whether the words around a space at end are of a date: “de” and the month after a day, such as
// “14 de octubre”, or a Korean month and its day.
func (p *paragraph) daySpans(before, after []rune, end int) bool {
	if unicode.IsDigit(before[0]) {
		return unicode.IsDigit(after[0]) && strings.ContainsRune(string(after), '일')
	}
	start := end - len(before)
	if start < 2 || !blank(p.runes[start-1]) || !p.numeral(p.wordBefore(start-1)) {
		return false
	}
	return months[strings.ToLower(string(after))]
}

// beginsClause reports whether a title or a part of it begins with the word at i.
func (p *paragraph) beginsClause(i int) bool {
	return i == 0 || i > 1 && blank(p.runes[i-1]) && p.endsClause(i-2)
}

// maxNumberSign is the length of the longest of numberSigns.
const maxNumberSign = 3

// maxParticle is the length of the longest of nameParticles.
const maxParticle = 5

// maxFirm is the length of the longest word of the sets of capitalized words.
const maxFirm = 6

// endsInCount reports whether a line that ends at b ends in a number whose unit or noun follows, or in another word
// that is never parted from the next.
func (p *paragraph) endsInCount(b lineBreak) bool {
	switch p.penaltyOf(b) {
	case penaltyNumber, penaltyNumbered, penaltyCount, penaltyAdjectiveOf, penaltyNumeral, penaltyPerson, penaltyTitle,
		penaltyAdjectiveFirst, penaltyPlaceName, penaltyOffice, penaltyGenitive:
		return true
	case penaltyConstruct:
		return arabicLetter(p.runes[b.end-1])
	case penaltyBound:
		return !months[strings.ToLower(string(p.wordBefore(b.end)))] // “3–5 July…” of a year is whole
	}
	return false
}

// wordBefore returns the characters between the last space before end and end, without an opening bracket or quote. In
// Chinese and Japanese it is what isn't in their scripts, such as the number of 迁移2 TB.
func (p *paragraph) wordBefore(end int) []rune {
	end = max(end, 0) // there is none before a text
	start := end
	for start > 0 && !blank(p.runes[start-1]) && p.runes[start-1] != 0xa0 {
		if start < end && unspaced(p.runes[start-1]) && !unspaced(p.runes[end-1]) {
			break
		}
		start--
	}
	for start < end && unicode.In(p.runes[start], unicode.Ps, unicode.Pi) {
		start++
	}
	return p.runes[start:end]
}

// wordAfter returns the characters between next and the next space, without punctuation at their end. In Chinese and
// Japanese it is what isn't in their scripts, as in [paragraph.wordBefore].
func (p *paragraph) wordAfter(next int) []rune {
	end := next
	for end < len(p.runes) && !blank(p.runes[end]) && p.runes[end] != 0xa0 {
		if end > next && unspaced(p.runes[end]) && !unspaced(p.runes[next]) {
			break
		}
		end++
	}
	for end > next+1 && (strings.ContainsRune(".,:;!?…)»”“’\"،؛؟", p.runes[end-1]) ||
		containsRune(wideMarks, p.runes[end-1])) {
		end--
	}
	return p.runes[next:end]
}

// unspaced reports whether r is a letter of Chinese or Japanese, whose words have no spaces between them.
func unspaced(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// leadsName reports whether an abbreviation, without its full stop, stays with a word that begins with next: a title,
// initials, “Fig.”. In scripts without capitals a letter with a full stop is an initial or a title, as in Arabic.
func (p *paragraph) leadsName(word []rune, next rune) bool {
	if !beginsName(next) || len(word) > 2 && acronyms[string(word)] {
		return false
	}
	if len(word) <= maxFirm && titles[string(word)] {
		return true
	}
	for i, r := range word { // J, J.R.R
		if i%2 == 0 && !beginsName(r) || i%2 == 1 && r != '.' && r != '-' {
			return false
		}
	}
	return len(word)%2 == 1
}

// beginsName reports whether a name may begin with a letter: a capital, or one of a script without them.
func beginsName(r rune) bool { return unicode.IsUpper(r) || unicode.Is(unicode.Lo, r) }

// endsInNumber reports whether a text ends in one of the words of a list.
func endsInNumber(text []rune, list []string) bool {
	const longest = 9 // letters of a word
	tail := string(text[max(0, len(text)-longest):])
	for _, w := range list {
		if strings.HasSuffix(tail, w) {
			return true
		}
	}
	return false
}

// beginsWith reports whether a word begins with one of a list.
func beginsWith(word []rune, list []string) bool {
	s := string(word)
	for _, w := range list {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// maxMonth is the length of the longest name of a month, in letters.
const maxMonth = 12

// months are the names of months and their abbreviations, in lower case.
var months = wordSet(`january february march april may june july august september october november december
	jan feb mar apr jun jul aug sep sept oct nov dec
	januar februar märz mai juni juli oktober dezember okt dez
	janvier février mars avril juin juillet août septembre octobre novembre décembre
	enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
	janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
	gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
	januari februari maart mei augustus
	января февраля марта апреля мая июня июля августа сентября октября ноября декабря
	stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
	ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
	شباط آذار نيسان أيار حزيران تموز آب أيلول
	جانفي فيفري أفريل ماي جوان جويلية أوت
	जनवरी फ़रवरी फरवरी मार्च अप्रैल मई जून
	जुलाई अगस्त सितंबर सितम्बर अक्तूबर अक्टूबर
	नवंबर नवम्बर दिसंबर दिसम्बर
	มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน
	กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม
	يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر`)

// Shares of capitals. Source: docs/rendering.md#fit.
const (
	minCapitals   = .70
	minCasedCount = 4
)

// inCapitals reports whether a title is written in capitals: at least 70 % of at least four letters.
func (p *paragraph) inCapitals() bool {
	if p.style.Exact || p.style.Tracking >= 0 || p.class != european {
		return false
	}
	upper, lower := 0, 0
	for _, r := range p.runes {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
	}
	return upper+lower >= minCasedCount && float64(upper) >= minCapitals*float64(upper+lower)
}
