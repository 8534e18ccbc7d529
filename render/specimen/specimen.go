// Package specimen holds what cards are tried with: texts of many lengths and scripts, accents, families and logos.
// The tests of every template and the gallery draw the same ones.
package specimen

import (
	"cmp"
	"image"
	"image/color"
	"strings"
	"time"
	"unicode"

	"masthead/render"
	"masthead/render/palette"
)

// Accents are two blues and reds, a yellow that no text stands on, a green, and the two neutrals.
func Accents() []color.NRGBA {
	return []color.NRGBA{
		palette.RGB(0x4F46E5), palette.RGB(0xE11D48), palette.RGB(0xFACC15), palette.RGB(0x10B981),
		palette.RGB(0x111827), palette.RGB(0xFFFFFF),
	}
}

// Corners are the places of a logo.
func Corners() []string { return []string{"top-left", "top-right", "bottom-left", "bottom-right"} }

// Page is a text that a card is drawn for.
type Page struct {
	Name                              string
	Title, Description, Eyebrow, Site string
	Lang                              string
}

// Pages returns the texts: five words, 60, 140 and 400 characters, one long token, the scripts, emoji, and nothing at
// all.
func Pages() []Page { return pages }

// Find returns the page of a name; it panics for a name that is not there.
func Find(name string) Page {
	for _, p := range pages {
		if p.Name == name {
			return p
		}
	}
	panic("specimen: there is no page " + name)
}

// Request returns what a template draws for the page, in the default style. The empty page has not even a host,
// the long token no byline.
func (p Page) Request(slug string, kind render.Kind) render.Request {
	r := render.Request{
		Template: slug, Kind: kind, Seed: "https://northlane.dev/" + p.Name, Lang: p.Lang, Dark: true,
		Texts: render.Texts{
			Title: p.Title, Description: p.Description, SiteName: p.Site, Host: "northlane.dev", Eyebrow: p.Eyebrow,
		},
	}
	switch p.Name {
	case "empty":
		r.Host = ""
	case "token":
	default:
		r.Author, r.Published, r.ReadingMinutes = "Mina Okafor", time.Date(2026, time.March, 12, 0, 0, 0, 0, time.UTC), 8
	}
	r.Texts = withFacts(r.Texts, slug)
	sample, _ := render.Sample(slug)
	r.Portrait = sample.Portrait
	switch slug {
	case "cover":
		r.Photo = sample.Photo
	case "product":
		r.Product, r.Photo = sample.Product, sample.Photo
	case "episode":
		r.Episode = sample.Episode
	case "event":
		r.Event = sample.Event
	}
	return r
}

// withFacts adds the facts that a template lives on; its quotation is the description, otherwise the title.
func withFacts(t render.Texts, slug string) render.Texts {
	switch slug {
	case "quote":
		t.Quote, t.QuoteAuthor = cmp.Or(t.Description, t.Title, "Nothing at all."), t.Author
	case "changelog":
		t.Version = "3.2"
	case "byline":
		t.Author = cmp.Or(t.Author, "Mina Okafor")
	case "repo":
		t.Owner, t.Repo = "northlane", "render-queue" // forges take no more than this in a name
		if t.Title != "" && !strings.ContainsFunc(t.Title, func(r rune) bool { return r > unicode.MaxASCII || r == ' ' }) {
			t.Repo = t.Title
		}
	case "frame": // of a home page
		t.Host = cmp.Or(t.Host, "northlane.dev")
	case "figure":
		t.Title = "73% " + t.Title
	case "code":
		t.Code = render.Code{First: 98, Language: "go", Lines: []string{
			"func Focus(m image.Image) image.Point {", "  for y := range rows(m, 64) { // " + t.Eyebrow,
			"    if s := detail(y); s > 0.5 {", "      return \"yes\"", "    }", "  }", "}", "", "",
		}}
	case "terminal":
		t.Session = []string{
			"$ " + cmp.Or(t.Title, "make"), "  " + t.Description, "# " + t.Eyebrow, "mina@northlane:~$ make all", "$ make check",
			"ok", "ok", "done",
		}
	}
	return t
}

var pages = []Page{
	{"five-words", "Postgres is all you need", "One database for queues, search, cache and time series, and why that is enough for most teams.", "Opinion", "Northlane", "en"},
	{"60", "Why we moved our render queue to Postgres after seven years!", "Six months, one outage and a 40% cost cut: what we learned replacing Redis with SKIP LOCKED.", "Engineering", "Northlane", "en-US"},
	{"140", "How a small team migrated eleven years of customer data across three continents without a single minute of downtime or one lost order, twice", "Six months, one outage and a 40% cost cut.", "Engineering", "Gjøvik Journal", "nb"},
	{"400", "The complete and rather long-winded account of how a small team of engineers spent the better part of two years moving eleven years of customer data across three continents, five clouds and nine different storage engines without a single minute of downtime, a single lost order, or a single sleepless night, and what every one of the people who took part would do differently if they had to do it all over", "A description that is very long as well, since pages which have a long title tend to have a long description too; it goes on and on, and would not end in any sensible number of lines if nobody ended it.", "A section with a long name, too", "The International Association for the Advancement of Everything", "en"},
	{"token", "DonaudampfschifffahrtselektrizitaetenhauptbetriebswX", "", "", "Q", "de"},
	{"arabic", "لماذا نقلنا قائمة انتظار العرض إلى قاعدة بيانات Postgres", "ستة أشهر، وانقطاع واحد، وخفض في التكلفة بنسبة 40٪: ما تعلمناه من استبدال Redis.", "الهندسة", "نورثلين", "ar"},
	{"hebrew", "איך העברנו את תור הרינדור ל-Postgres בלי דקה אחת של השבתה", "שישה חודשים, תקלה אחת ו-40% פחות עלויות: מה שלמדנו מהחלפת Redis.", "הנדסה", "נורת׳ליין", "he"},
	{"zh", "为什么我们把渲染队列迁移到了 Postgres", "六个月、一次故障、成本降低百分之四十：用 SKIP LOCKED 取代 Redis 之后我们学到了什么。", "工程", "北巷", "zh-Hans"},
	{"ja", "レンダリングキューをPostgresに移行した理由", "六か月、一度の障害、四割のコスト削減。Redisを置き換えて学んだこと。", "開発", "ノースレーン", "ja"},
	{"ko", "렌더링 대기열을 Postgres로 옮긴 이유", "여섯 달, 한 번의 장애, 사십 퍼센트의 비용 절감. Redis를 대체하며 배운 것들입니다.", "엔지니어링", "노스레인", "ko"},
	{"hindi", "हमने अपनी रेंडर कतार को Postgres पर क्यों ले जाया", "छह महीने, एक रुकावट और चालीस प्रतिशत कम लागत: Redis को बदलने से हमने क्या सीखा।", "इंजीनियरिंग", "नॉर्थलेन", "hi"},
	{"thai", "ทำไมเราจึงย้ายคิวการเรนเดอร์ไปยัง Postgres", "หกเดือน หนึ่งเหตุขัดข้อง และต้นทุนที่ลดลงสี่สิบเปอร์เซ็นต์ สิ่งที่เราได้เรียนรู้จากการแทนที่ Redis", "วิศวกรรม", "นอร์ธเลน", "th"},
	{"emoji", "🚀 Ship it on Friday 👩‍👩‍👧‍👦 and other family stories 🇩🇪", "Emoji in titles are part of how people write; they stay whole. 🎉", "Life ❤️", "🚀🚀", "en"},
	{"marks", "\u0300\u0301\u0302", "\u0489\u0488 a description of combining marks \u0300\u0301\u0302 that has some words as well.", "\u0330", "\u0303\u0304", "en"},
	{"zalgo", zalgo("How they come out of their box, all of them"), zalgo("And so does what is said about them below the title"), zalgo("Beyond"), zalgo("Zalgo"), "en"},
	{"vowels", "لِمَاذَا نَقَلْنَا قَائِمَةَ ٱنْتِظَارِ ٱلْعَرْضِ إِلَىٰ قَاعِدَةِ ٱلْبَيَانَاتِ بَعْدَ سَبْعِ سَنَوَاتٍ مِنَ ٱلْعَمَلِ ٱلشَّاقِّ وَٱلتَّجْرِبَةِ، وَكَيْفَ تَعَلَّمْنَا أَنَّ ٱلْبَسَاطَةَ هِيَ ٱلطَّرِيقُ إِلَى ٱلنَّجَاحِ", "سِتَّةُ أَشْهُرٍ، وَٱنْقِطَاعٌ وَاحِدٌ، وَخَفْضٌ فِي ٱلتَّكْلِفَةِ.", "ٱلْهَنْدَسَةُ", "نُورْثلِين", "ar"},
	{"stacked", "ĐỂ THẤY RÕ ẨN Ý Ở NHỮNG CHỮ HOA: TẠI SAO CHÚNG TÔI CHUYỂN SANG POSTGRES SAU BẢY NĂM", "Những gì chúng tôi đã học được trong sáu tháng.", "KỸ THUẬT", "Ễ", "vi"},
	{"empty", "", "", "", "", ""},
}

// Logos are the names that Logo knows: a square one, a wordmark of five to one, a white one and a black one.
func Logos() []string { return []string{"square", "wordmark", "white", "black"} }

// Logo draws a logo with a clear background: a ring, or five letters in a row. It is nil for the name "".
func Logo(name string) *image.NRGBA {
	ink := palette.RGB(0xF97316)
	switch name {
	case "":
		return nil
	case "white":
		ink = palette.RGB(0xFFFFFF)
	case "black":
		ink = palette.RGB(0x0A0A0E)
	}
	if name != "wordmark" {
		img := image.NewNRGBA(image.Rect(0, 0, 240, 240))
		for i := range 240 * 240 {
			x, y := i%240-120, i/240-120
			if d := x*x + y*y; d < 120*120 && d > 60*60 {
				img.SetNRGBA(i%240, i/240, ink)
			}
		}
		return img
	}
	img := image.NewNRGBA(image.Rect(0, 0, 500, 100))
	for i := range 500 * 100 {
		if x, y := i%500, i/500; x%100 < 84 && (y < 26 || y > 73 || x%100 < 26) {
			img.SetNRGBA(x, y, ink)
		}
	}
	return img
}

// zalgo puts marks on the letters of a text: three above and two below each, and many more on some.
func zalgo(s string) string {
	var b strings.Builder
	for i, r := range s {
		b.WriteRune(r)
		if r != ' ' {
			b.WriteString("\u030d\u0346\u0351\u0317\u0326")
		}
		if i%7 == 0 {
			b.WriteString(strings.Repeat("\u0352\u0324", 20))
		}
	}
	return b.String()
}
