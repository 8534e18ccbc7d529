package render_test

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"testing"

	"masthead/render"
	"masthead/render/palette"
)

// The axes of what every template must bear. Source: the design briefs, "what must be true".
var (
	accents = []uint32{0x4F46E5, 0xE11D48, 0xFACC15, 0x10B981, 0x111827, 0xFFFFFF}
	faces   = []string{"inter", "plus-jakarta-sans", "space-grotesk", "jetbrains-mono", "noto-sans", "instrument-serif"}
	corners = []string{"top-left", "top-right", "bottom-left", "bottom-right"}
)

// page is a text of the matrix. Ours says that its letters are in the embedded faces.
type page struct {
	name                              string
	title, description, eyebrow, site string
	lang                              string
	ours                              bool
}

var pages = []page{
	{"five-words", "Postgres is all you need", "One database for queues, search, cache and time series, and why that is enough for most teams.", "Opinion", "Northlane", "en", true},
	{"60", "Why we moved our render queue to Postgres after seven years!", "Six months, one outage and a 40% cost cut: what we learned replacing Redis with SKIP LOCKED.", "Engineering", "Northlane", "en-US", true},
	{"140", "How a small team migrated eleven years of customer data across three continents without a single minute of downtime or one lost order, twice", "Six months, one outage and a 40% cost cut.", "Engineering", "Gjøvik Journal", "nb", true},
	{"400", "The complete and rather long-winded account of how a small team of engineers spent the better part of two years moving eleven years of customer data across three continents, five clouds and nine different storage engines without a single minute of downtime, a single lost order, or a single sleepless night, and what every one of the people who took part would do differently if they had to do it all over", "A description that is very long as well, since pages which have a long title tend to have a long description too; it goes on and on, and would not end in any sensible number of lines if nobody ended it.", "A section with a long name, too", "The International Association for the Advancement of Everything", "en", true},
	{"token", "DonaudampfschifffahrtselektrizitaetenhauptbetriebswX", "", "", "Q", "de", true},
	{"arabic", "لماذا نقلنا قائمة انتظار العرض إلى قاعدة بيانات Postgres", "ستة أشهر، وانقطاع واحد، وخفض في التكلفة بنسبة 40٪: ما تعلمناه من استبدال Redis.", "الهندسة", "نورثلين", "ar", true},
	{"hebrew", "איך העברנו את תור הרינדור ל-Postgres בלי דקה אחת של השבתה", "שישה חודשים, תקלה אחת ו-40% פחות עלויות: מה שלמדנו מהחלפת Redis.", "הנדסה", "נורת׳ליין", "he", true},
	{"zh", "为什么我们把渲染队列迁移到了 Postgres", "六个月、一次故障、成本降低百分之四十：用 SKIP LOCKED 取代 Redis 之后我们学到了什么。", "工程", "北巷", "zh-Hans", false},
	{"ja", "レンダリングキューをPostgresに移行した理由", "六か月、一度の障害、四割のコスト削減。Redisを置き換えて学んだこと。", "開発", "ノースレーン", "ja", false},
	{"ko", "렌더링 대기열을 Postgres로 옮긴 이유", "여섯 달, 한 번의 장애, 사십 퍼센트의 비용 절감. Redis를 대체하며 배운 것들입니다.", "엔지니어링", "노스레인", "ko", false},
	{"hindi", "हमने अपनी रेंडर कतार को Postgres पर क्यों ले जाया", "छह महीने, एक रुकावट और चालीस प्रतिशत कम लागत: Redis को बदलने से हमने क्या सीखा।", "इंजीनियरिंग", "नॉर्थलेन", "hi", false},
	{"thai", "ทำไมเราจึงย้ายคิวการเรนเดอร์ไปยัง Postgres", "หกเดือน หนึ่งเหตุขัดข้อง และต้นทุนที่ลดลงสี่สิบเปอร์เซ็นต์ สิ่งที่เราได้เรียนรู้จากการแทนที่ Redis", "วิศวกรรม", "นอร์ธเลน", "th", false},
	{"emoji", "🚀 Ship it on Friday 👩‍👩‍👧‍👦 and other family stories 🇩🇪", "Emoji in titles are part of how people write; they stay whole. 🎉", "Life ❤️", "🚀🚀", "en", false},
	{"empty", "", "", "", "", "", true},
}

// logo is a synthetic logo: a ring, or five letters in a row.
func logo(name string) *image.NRGBA {
	ink := color.NRGBA{R: 0xF9, G: 0x73, B: 0x16, A: 255}
	switch name {
	case "":
		return nil
	case "white":
		ink = color.NRGBA{R: 255, G: 255, B: 255, A: 255}
	case "black":
		ink = color.NRGBA{R: 10, G: 10, B: 14, A: 255}
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

var logos = []string{"square", "wordmark", "white", "black"}

// card is one case of the matrix.
type card struct {
	name string
	page page
	logo string
	render.Request
}

// cards returns the cases of a template and kind: each text in each family, with modes, accents, logos and corners taken in turns so that
// all pairs of them occur; or everything with everything, if MASTHEAD_TEST_FULL is set.
func cards(t testing.TB, slug string, kind render.Kind) []card {
	t.Helper()
	var out []card
	add := func(p page, face string, accent uint32, dark bool, logoName, corner string) {
		host := "northlane.dev"
		if p.name == "empty" {
			host = ""
		}
		c := card{page: p, logo: logoName, Request: render.Request{
			Template: slug, Kind: kind, Seed: "https://" + host + "/" + p.name, Title: p.title, Description: p.description,
			SiteName: p.site, Host: host, Eyebrow: p.eyebrow, Lang: p.lang, Accent: palette.RGB(accent), Dark: dark, Font: face,
			Logo: logo(logoName), LogoPosition: corner,
		}}
		if p.name != "empty" && p.name != "token" {
			s, _ := render.Sample(slug)
			c.Author, c.Published, c.ReadingMinutes = s.Author, s.Published, s.ReadingMinutes
		}
		mode := "light"
		if dark {
			mode = "dark"
		}
		c.name = fmt.Sprintf("%s/%s/%06x/%s/%s-%s", p.name, face, accent, mode, logoName, corner)
		out = append(out, c)
	}
	logoNames := append([]string{""}, logos...)
	if os.Getenv("MASTHEAD_TEST_FULL") == "1" {
		for _, p := range pages {
			for _, face := range faces {
				for _, accent := range accents {
					for _, dark := range []bool{true, false} {
						add(p, face, accent, dark, "", "")
					}
				}
				for _, name := range logos {
					for _, corner := range corners {
						add(p, face, accents[len(out)%len(accents)], len(out)%2 == 0, name, corner)
					}
				}
			}
		}
		return out
	}
	for i, p := range pages {
		for j, face := range faces {
			n := i*len(faces) + j
			add(p, face, accents[(i+j)%len(accents)], (i+j/2)%2 == 0, logoNames[(n*2+i)%len(logoNames)], corners[(n+i/4)%len(corners)])
		}
	}
	return out
}

// eachCard runs a test on every case of every template and kind.
func eachCard(t *testing.T, test func(t *testing.T, c card)) {
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			for _, c := range cards(t, info.Slug, kind) {
				t.Run(info.Slug+"/"+string(kind)+"/"+c.name, func(t *testing.T) { test(t, c) })
			}
		}
	}
}
