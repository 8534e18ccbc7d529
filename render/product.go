package render

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"masthead/render/template/kit"
	"masthead/render/template/wording"
)

// Product is what a page says about a thing for sale, a recipe or a work; without a fact there is none.
type Product struct {
	// Price is the lowest price, as a decimal number with a point; HighPrice is the highest one of a range, and OldPrice
	// the one that was asked before.
	Price, HighPrice, OldPrice string
	Currency                   string  // ISO 4217
	Stock                      string  // "in", "few", "out", "preorder" or ""
	Rating                     float64 // of Votes, on a scale to 5
	Votes                      int
	Time                       time.Duration // of a recipe
	Servings                   int
	Creator                    string // of a work
	Pages, Year                int
	Length                     time.Duration
	Square, Upright, Bound     bool // it is a record, or another work, or a book: the picture is its cover
}

// Episode is what a page says about an episode or a video; without a fact there is none.
type Episode struct {
	Show, Guest    string
	Number, Season int
	Length         time.Duration
	Video, Audio   bool
}

// factWords are what a language calls the facts of things and episodes, with # for the number. Languages that aren't
// listed leave out what needs a word. After the hours, & are the minutes, and + the minutes with their unit. Source:
// Unicode CLDR for units; the rest is what shops and players of these languages write.
type factWords struct {
	from, inStock, few, soldOut, preorder string // from has # for the price
	servings, pages                       string
	hours, minutes                        string
	episode, season, with                 string
}

var factWordsOf = map[string]factWords{
	"en": {"from #", "In stock", "Few left", "Sold out", "Pre-order", "# servings", "# pages", "# hr +", "# min", "Episode #", "Season #", "with #"},
	"de": {
		"ab #", "Auf Lager", "Letzte Stücke", "Ausverkauft", "Vorbestellen",
		"# Portionen", "# Seiten", "# Std. +", "# Min.", "Folge #", "Staffel #", "mit #",
	},
	"fr": {
		"dès #", "En stock", "Stock limité", "Épuisé", "Précommande",
		"# portions", "# pages", "# h &", "# min", "Épisode #", "Saison #", "avec #",
	},
	"es": {
		"desde #", "En stock", "Casi agotado", "Agotado", "Reserva",
		"# raciones", "# páginas", "# h +", "# min", "Episodio #", "Temporada #", "con #",
	},
	"pt": {
		"desde #", "Em estoque", "Estoque baixo", "Esgotado", "Pré-venda",
		"# porções", "# páginas", "# h +", "# min", "Episódio #", "Temporada #", "com #",
	},
	"it": {"da #", "Disponibile", "Ultimi pezzi", "Esaurito", "Preordine", "# porzioni", "# pagine", "# h +", "# min", "Episodio #", "Stagione #", "con #"},
	"nl": {
		"vanaf #", "Op voorraad", "Laatste stuks", "Uitverkocht", "Reserveren",
		"# porties", "# pagina’s", "# u +", "# min", "Aflevering #", "Seizoen #", "met #",
	},
	"sv": {"från #", "I lager", "Få kvar", "Slutsåld", "Förhandsboka", "# portioner", "# sidor", "# h +", "# min", "Avsnitt #", "Säsong #", "med #"},
	"da": {"fra #", "På lager", "Få tilbage", "Udsolgt", "Forudbestil", "# portioner", "# sider", "# t +", "# min.", "Afsnit #", "Sæson #", "med #"},
	"nb": {"fra #", "På lager", "Få igjen", "Utsolgt", "Forhåndsbestill", "# porsjoner", "# sider", "# t +", "# min", "Episode #", "Sesong #", "med #"},
	"pl": {
		"od #", "W magazynie", "Mała ilość", "Wyprzedane", "Przedsprzedaż",
		"Porcje: #", "# s.", "# godz. +", "# min", "Odcinek #", "Sezon #", "",
	},
	"cs": {"od #", "Skladem", "Poslední kusy", "Vyprodáno", "Předobjednávka", "Porce: #", "# s.", "# h +", "# min", "Díl #", "Řada #", ""},
	"ru": {
		"от #", "В наличии", "Осталось мало", "Распродано", "Предзаказ",
		"Порций: #", "# с.", "# ч +", "# мин", "Выпуск #", "Сезон #", "",
	},
	"uk": {
		"від #", "В наявності", "Закінчується", "Розпродано",
		"Передзамовлення",
		"Порцій: #", "# с.", "# год +", "# хв", "Випуск #", "Сезон #", "",
	},
	"th": {"เริ่มต้น #", "มีสินค้า", "เหลือน้อย", "สินค้าหมด", "สั่งจองล่วงหน้า", "# ที่", "# หน้า", "# ชม. +", "# นาที", "ตอนที่ #", "ซีซัน #", "กับ #"},
	"tr": {"", "Stokta", "Son ürünler", "Tükendi", "Ön sipariş", "# kişilik", "# sayfa", "# sa +", "# dk", "Bölüm #", "Sezon #", ""},
	"ja": {"#〜", "在庫あり", "残りわずか", "売り切れ", "予約受付中", "#人分", "#ページ", "#時間+", "#分", "第#回", "シーズン#", ""},
	"zh": {"#起", "有货", "即将售罄", "已售罄", "预售", "#人份", "#页", "#小时+", "#分钟", "第#集", "第#季", ""},
	"zh-hant": {
		"#起", "有貨", "即將售罄", "已售罄", "預購", "#人份", "#頁", "#小時+", "#分鐘", "第#集", "第#季", "",
	},
	"ko": {"#부터", "재고 있음", "품절 임박", "품절", "예약 구매", "#인분", "#쪽", "#시간 +", "#분", "#화", "시즌 #", ""},
	"ar": {"من #", "متوفر", "كمية محدودة", "نفدت الكمية", "طلب مسبق", "", "", "# س +", "# د", "الحلقة #", "الموسم #", "مع #"},
	"hi": {"# से", "स्टॉक में", "कुछ ही शेष",
		"स्टॉक ख़त्म", "प्री-ऑर्डर",
		"# लोगों के लिए", "# पृष्ठ", "# घं॰ +", "# मिनट",
		"एपिसोड #", "सीज़न #", "# के साथ"},
	"he": {"החל מ-#", "במלאי", "כמות מוגבלת", "אזל", "הזמנה מראש", "# מנות", "# עמודים", "# ש׳ +", "# ד׳", "פרק #", "עונה #", "עם #"},
}

// wordsFor returns the words of a language; those of units are known for all.
func wordsFor(lang string) factWords {
	primary := primaryOf(lang)
	if writesTraditional(lang) {
		primary = "zh-hant"
	}
	w, ok := factWordsOf[primary]
	if !ok {
		w.hours, w.minutes = "# h &", "# min"
	}
	return w
}

// primaryOf returns the language of a tag as the tables of this package name it; a page without one counts as English.
func primaryOf(lang string) string {
	primary, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(lang, "_", "-")), "-")
	if to := aliases[primary]; to != "" {
		primary = to
	}
	if primary == "" {
		return "en"
	}
	return primary
}

// withNumber fills a number into a form; "" without a form.
func withNumber(form string, n int) string { return strings.Replace(form, "#", strconv.Itoa(n), 1) }

// length writes a duration in minutes, and from an hour on in hours and minutes: "45 min", "1 hr 20 min",
// "1 h 20".
func (w *factWords) length(d time.Duration) string {
	minutes := int((d + 30*time.Second) / time.Minute)
	if minutes < 1 {
		return ""
	}
	if minutes < 60 {
		return withNumber(w.minutes, minutes)
	}
	hours, rest := withNumber(w.hours, minutes/60), minutes%60
	if rest == 0 {
		return strings.TrimRight(hours, " &+")
	}
	return strings.NewReplacer("&", fmt.Sprintf("%02d", rest), "+", withNumber(w.minutes, rest)).Replace(hours)
}

// currencySigns are the signs of currencies; others are written by their code.
var currencySigns = map[string]string{
	"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "¥", "KRW": "₩", "INR": "₹", "BRL": "R$", "CAD": "CA$",
	"AUD": "A$", "NZD": "NZ$", "HKD": "HK$", "SEK": "kr", "NOK": "kr", "DKK": "kr", "PLN": "zł", "CZK": "Kč", "RUB": "₽",
	"UAH": "₴", "TRY": "₺", "ILS": "₪", "THB": "฿", "VND": "₫", "TWD": "NT$", "PHP": "₱",
}

// signsIn are signs in languages that write them in another way, as they have a dollar, a yen or a yuan of their own.
// Source: Unicode CLDR, numbers.
var signsIn = map[string]map[string]string{
	"zh": {"USD": "US$", "JPY": "JP¥"}, "zh-hant": {"USD": "US$", "CNY": "CN¥"},
	"ko": {"USD": "US$", "JPY": "JP¥", "CNY": "CN¥"}, "pt": {"USD": "US$"}, "th": {"USD": "US$", "CNY": "CN¥"},
	"en": {"CNY": "CN¥"}, "ja": {"CNY": "CN¥"},
}

// wholeMoney are currencies whose prices are written without decimals, unless they have some.
var wholeMoney = setOf("THB INR RUB TWD JPY KRW VND CLP COP HUF IDR ISK PHP")

// Languages by how they write prices. Source: Unicode CLDR, numbers.
var (
	signFirst   = setOf("en ja zh ko th hi nl pt tr bn ta he id ms") // the sign of the currency before the number
	signApart   = setOf("nl pt he")                                  // with a space after it
	pointFirst  = setOf("en ja zh ko th hi bn ta he ar ms")          // a point before the decimals
	spaceGroups = setOf("fr ru uk pl cs sk sv nb fi bg hu")          // spaces between thousands
)

// pointSpanish are the regions in which Spanish has a point before the decimals. Source: Unicode CLDR, numbers.
const pointSpanish = " mx us pr gt hn ni sv pa do pe cu 419 "

// hasPoint reports whether a language has a point before the decimals, and commas between thousands.
func hasPoint(lang string) bool {
	primary := primaryOf(lang)
	_, region, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(lang, "_", "-")), "-")
	return pointFirst[primary] || primary == "es" && region != "" && strings.Contains(pointSpanish, " "+region+" ")
}

const noBreakSpace = "\u00A0"

// money writes a decimal number with a point as a price in a currency, as a language does.
func money(number, currency, lang string) string {
	if number == "" {
		return ""
	}
	pointed, traditional := hasPoint(lang), writesTraditional(lang)
	lang = primaryOf(lang)
	whole, fraction, _ := strings.Cut(number, ".")
	if wholeMoney[currency] && strings.Trim(fraction, "0") == "" {
		fraction = ""
	}
	group, point := ".", ","
	switch {
	case pointed:
		group, point = ",", "."
	case spaceGroups[lang]:
		group = "\u202F"
	}
	var b strings.Builder
	for i, r := range whole {
		if left := len(whole) - i; i > 0 && left%3 == 0 {
			b.WriteString(group)
		}
		b.WriteRune(r)
	}
	if fraction != "" {
		b.WriteString(point + fraction)
	}
	sign, known := currencySigns[currency]
	in := lang
	if traditional {
		in = "zh-hant"
	}
	sign = cmp.Or(signsIn[in][currency], sign)
	letters := !known || sign == "kr" || sign == "zł" || sign == "Kč"
	switch {
	case !signFirst[lang]:
		if !known {
			sign = currency
		}
		return b.String() + noBreakSpace + sign
	case letters:
		return currency + noBreakSpace + b.String()
	case signApart[lang]:
		return sign + noBreakSpace + b.String()
	}
	return sign + b.String()
}

// titled returns the title of the page of a work without its year and who made it, and the author: who made it if the
// title said that and the page names no author.
func (p *Product) titled(title, author string) (string, string) {
	if !p.Square && !p.Upright {
		return title, author
	}
	named := wording.Work(title, "", p.Year)
	work := wording.Work(named, p.Creator, 0)
	if work != named {
		author = cmp.Or(author, p.Creator)
	}
	return work, author
}

// goods returns what a card shows of a product.
func (p *Product) goods(lang string) (g kit.Goods) {
	w := wordsFor(lang)
	g.Headline, g.Old = money(p.Price, p.Currency, lang), money(p.OldPrice, p.Currency, lang)
	if p.HighPrice != "" && g.Headline != "" {
		if g.Old = ""; w.from != "" {
			g.Headline = strings.Replace(w.from, "#", g.Headline, 1)
		} else {
			g.Headline += " – " + money(p.HighPrice, p.Currency, lang)
		}
	}
	g.Square, g.Upright, g.Bound, g.Gone = p.Square, p.Upright, p.Bound, p.Stock == "out"
	g.Dish = p.Time > 0 || p.Servings > 0
	if p.Rating > 0 && p.Rating <= 5 && p.Votes > 0 {
		g.Rating = p.Rating
		g.Facts = append(g.Facts, rating(p.Rating, p.Votes, lang))
	}
	add := func(s string) {
		if s != "" {
			g.Facts = append(g.Facts, s)
		}
	}
	if work := p.Square || p.Upright; work {
		if g.Headline == "" || p.Creator != "" {
			g.Headline, g.Old, g.Name = shortText(p.Creator, lang), "", true
		}
	} else if g.Headline == "" {
		g.Headline = w.length(p.Time)
	}
	if left := p.Stock == "in" || p.Stock == "few"; !left || !g.Name { // which says nothing without a price
		add(map[string]string{"in": w.inStock, "few": w.few, "out": w.soldOut, "preorder": w.preorder}[p.Stock])
	}
	if p.Servings > 0 {
		add(withNumber(w.servings, p.Servings))
	}
	switch {
	case p.Pages > 0:
		add(withNumber(w.pages, p.Pages))
	case p.Length > 0:
		add(w.length(p.Length))
	}
	if p.Year > 0 && (p.Square || p.Upright) {
		l, _ := localeOf(lang)
		add(strconv.Itoa(p.Year + l.era))
	}
	return g
}

// rating writes a mean and its votes: “4.7 (1,284)”.
func rating(mean float64, votes int, lang string) string {
	s := strconv.FormatFloat(mean, 'f', -1, 64)
	if len(s) > len("4.75") {
		s = strconv.FormatFloat(mean, 'f', 1, 64)
	}
	n := money(strconv.Itoa(votes), "", "en")
	if !hasPoint(lang) {
		s = strings.Replace(s, ".", ",", 1)
		n = money(strconv.Itoa(votes), "", lang)
	}
	return s + " (" + strings.Trim(n, noBreakSpace) + ")"
}

// clock writes the length of a video as players do: “12:47”, “1:02:09”.
func clock(d time.Duration) string {
	s := int(d / time.Second)
	switch {
	case s < 1:
		return ""
	case s < 3600:
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// play returns what a card shows of an episode.
func (e *Episode) play(lang string) (p kit.Play) {
	if e.Number == 0 && !e.Video && !e.Audio && (e.Show == "" || e.Length == 0) { // a length alone is also that of a film
		return p
	}
	w := wordsFor(lang)
	p.Known, p.Video = true, e.Video
	p.Show, p.Length = shortText(e.Show, lang), w.length(e.Length)
	if e.Video {
		p.Length = clock(e.Length)
	}
	if guest := shortText(e.Guest, lang); guest != "" {
		if p.Guest, p.GuestName = guest, guest; w.with != "" {
			p.Guest = strings.Replace(w.with, "#", guest, 1)
		}
	}
	if e.Season > 1 && e.Number > 0 && w.season != "" {
		p.Facts = append(p.Facts, withNumber(w.season, e.Season))
	}
	if e.Number > 0 {
		if p.Number = withNumber(w.episode, e.Number); p.Number == "" {
			p.Number = "#" + strconv.Itoa(e.Number)
		}
		p.Facts = append(p.Facts, p.Number)
	}
	if p.Length != "" {
		p.Facts = append(p.Facts, p.Length)
	}
	return p
}
