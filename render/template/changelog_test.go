package template

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"masthead/render/template/kit"
	"masthead/render/template/wording"
)

func TestChangelogTitle_versionAloneIsNoTitle(t *testing.T) {
	for _, tc := range []struct{ title, version, lang, want string }{
		{"Northlane 3.2: signed links", "3.2", "en", "Signed links"}, {"Northlane 3.2 is out!", "3.2", "en", "What’s new"},
		{"v3.2", "v3.2", "en", "What’s new"}, {"Release 3.2", "3.2", "de-AT", "Was ist neu"},
		{"Northlane 3.2", "3.2", "ja", "新着情報"}, {"Version 3.2.", "3.2", "xx", "Northlane"},
		{"Release", "", "en", "Release"}, {"v4.2: search that forgives", "4.2", "en", "Search that forgives"},
		{"Why we left Northlane after 3.2: a story", "3.2", "en", "Why we left Northlane after 3.2: a story"},
		{"4.2 – öfter, schneller", "v4.2", "de", "Öfter, schneller"}, {"4.2-beta: ready", "4.2", "en", "4.2-beta: ready"},
	} {
		c := openCard(t, "changelog", kit.Spec{
			Lang: tc.lang, Texts: kit.Texts{Title: tc.title, Version: tc.version, SiteName: "Northlane"},
		})
		if got := wording.Release(c); got != tc.want {
			t.Errorf("%q of %s: %q, want %q", tc.title, tc.lang, got, tc.want)
		}
	}
	for _, title := range []string{"tide-watch v2.4.0", "Release v2.4.0", "2.4.0"} {
		of := kit.Texts{Title: title, Version: "2.4.0", SiteName: "GitHub", Repo: "tide-watch"}
		if got := wording.Release(openCard(t, "changelog", kit.Spec{Texts: of})); got != "tide-watch" {
			t.Errorf("%q of a repository: %q, want its name", title, got)
		}
	}
}

// TestChangelog_longVersionLeavesRoom checks that neither the site's name nor the day is cut for the number's sake.
func TestChangelog_longVersionLeavesRoom(t *testing.T) {
	const site, day = "The Economic Times of India", "November 22, 2026"
	orange := color.NRGBA{R: 255, G: 120, A: 255}
	square, wordmark := plainLogo(100, 100, orange), plainLogo(500, 100, orange)
	for _, version := range []string{"2.0", "v12.4.1", "2026.11.22", "1.0.0-beta.12", "2026.11.22.4711"} {
		for _, corner := range []kit.Corner{{}, {Right: true}, {Bottom: true}} {
			for _, logo := range []*image.NRGBA{nil, square, wordmark} {
				c := openCard(t, "changelog", kit.Spec{
					Corner: corner, Pictures: kit.Pictures{Logo: logo}, Date: day,
					Texts: kit.Texts{Title: "Signed links", Version: version, SiteName: site},
				})
				c.Layout()
				said := map[string]bool{}
				for _, p := range c.PlacedTexts() {
					said[p.Text()] = true
				}
				named := said[site] || logo == wordmark && corner == kit.Corner{Right: true}
				if !named || !said[day] {
					t.Errorf("%s, with a logo: %v, at %v: got %v", version, logo != nil, corner, said)
				}
			}
		}
	}
}

// TestChangelog_titleOfTwoLinesHasALineBelow checks that something is said below it: the description if two lines have
// room for it, or as far as a clause, otherwise what is new.
func TestChangelog_titleOfTwoLinesHasALineBelow(t *testing.T) {
	items := []string{"Replicate before you switch", "Write to both for a week"}
	for _, tc := range []struct{ title, description, want string }{
		{"Lumen: faster builds, typed config and goodbye to the legacy CLI",
			"Incremental builds are up to 8× faster, the config file is checked as you type and saved as you leave, plugins " +
				"load in parallel, and the old CLI is gone for good.",
			"Incremental builds are up to 8× faster…"},
		{"How to migrate 2 TB of PostgreSQL data with zero downtime", "", "Replicate before you switch · Write to both for a week"},
		{"How to migrate 2 TB of PostgreSQL data with zero downtime",
			"Replication, a week of dual writes and one very boring switchover to new servers: the complete runbook.",
			"Replication, a week of dual writes and one very boring switchover to new servers: the complete runbook."},
	} {
		c := openCard(t, "changelog", kit.Spec{
			Texts: kit.Texts{Title: tc.title, Description: tc.description, Version: "16.3", Items: items},
		})
		if said := placedTexts(c); !slices.Contains(said, tc.want) {
			t.Errorf("%q: got %q, want %q", tc.title, said, tc.want)
		}
	}
}

// TestChangelog_longTitleIsWhole checks that a title that the usual sizes would cut has a smaller one, if necessary in
// three lines.
func TestChangelog_longTitleIsWhole(t *testing.T) {
	for lang, title := range map[string]string{
		"th": "ติดตั้ง PostgreSQL 18 บน Ubuntu 24.04 แบบทีละขั้นตอน พร้อมตั้งค่าสำรองข้อมูลอัตโนมัติ",
		"hi": "Redmi Note 15 Pro+ भारत में लॉन्च: 6,500mAh बैटरी, 200MP कैमरा, कीमत ₹29,999 से शुरू",
		"ar": "محكمة النقض المصرية ترفض طعن رجل الأعمال حسن راتب وتؤيد سجنه خمس سنوات في قضية الآثار الكبرى",
	} {
		c := openCard(t, "changelog", kit.Spec{Lang: lang, RTL: lang == "ar", Texts: kit.Texts{Title: title, Version: "3.2"}})
		c.Layout()
		for _, p := range c.PlacedTexts() {
			if p.Role == kit.Title && p.Truncated {
				t.Errorf("%s: the title is %q", lang, p.Text())
			}
		}
	}
}

// TestChangelog_iconBeginsTheNameOfTheSite checks on which side of the name the icon is.
func TestChangelog_iconBeginsTheNameOfTheSite(t *testing.T) {
	for _, tc := range []struct {
		name  string
		rtl   bool
		right bool
	}{
		{"وكالة الأنباء السعودية", true, true}, {"المدونة", true, true}, {"North", false, false},
		{"The Economic Times of India", false, false},
	} {
		c := openCard(t, "changelog", kit.Spec{
			RTL: tc.rtl, Texts: kit.Texts{Title: "Signed links", Version: "3.2", SiteName: tc.name},
		})
		c.Layout()
		icon := c.PlacedIcons()[0].Box
		for _, p := range c.PlacedTexts() {
			if got := icon.Min.X > p.InkBox().Max.X; p.Text() == tc.name && got != tc.right {
				t.Errorf("%q: the icon is right of it: %v, want %v", tc.name, got, tc.right)
			}
		}
	}
}

// TestChangelog_shortTitleStaysLarge checks that a title of two lines isn't smaller for its description.
func TestChangelog_shortTitleStaysLarge(t *testing.T) {
	c := openCard(t, "changelog", kit.Spec{Texts: kit.Texts{
		Title: "Why Is Everyone in the U.K. Talking About Heat Pumps?", Version: "3.2",
		Description: "A £7,500 grant, a cold winter and a TV advert explain most of it.",
	}})
	c.Layout()
	for _, p := range c.PlacedTexts() {
		if p.Role == kit.Title && p.SizePx < 64 {
			t.Errorf("%q has %v px", p.Text(), p.SizePx)
		}
	}
}

// TestChangelog_cutTitleHasAWholeDescription checks that a title which is cut leaves the description all lines that fit
// below it.
func TestChangelog_cutTitleHasAWholeDescription(t *testing.T) {
	c := openCard(t, "changelog", kit.Spec{Lang: "ru", Texts: kit.Texts{
		Title: "Налогообложение самозанятых-нерезидентов и иностранных фрилансеров: разъяснения ФНС от 19.11.2026 " +
			"№ БС-4-11/12345@", Version: "3.2",
		Description: "Письмо касается граждан ЕАЭС, Украины и ещё 6 стран, работающих через платформы.",
	}})
	c.Layout()
	for _, p := range c.PlacedTexts() {
		if p.Role != kit.Title && p.Truncated {
			t.Errorf("the description is %q", p.Text())
		}
	}
}

// TestChangelog_highlightsAreTheList checks that a list that says what is new keeps its short entries.
func TestChangelog_highlightsAreTheList(t *testing.T) {
	for _, tc := range []struct{ items, want []string }{
		{[]string{"ปฏิทิน พ.ศ.", "จุดตรวจแบบเพิ่มหน่วย", "ตัวเชื่อม MQTT 5"}, []string{"ปฏิทิน พ.ศ.", "จุดตรวจแบบเพิ่มหน่วย", "ตัวเชื่อม MQTT 5"}},
		{[]string{"全5ウエイト", "収録文字数 23,060字", "縦組み用かな・従属欧文つき。"}, []string{"全5ウエイト", "収録文字数 23,060字", "縦組み用かな・従属欧文つき。"}},
		{[]string{"Signed links.", "Dark mode", "Retries of webhooks"}, []string{"Signed links", "Dark mode", "Retries of webhooks"}},
		{[]string{"Home", "Docs", "Release notes of 3.2"}, nil},
	} {
		c := openCard(t, "changelog", kit.Spec{Texts: kit.Texts{Title: "Lumen", Version: "3.2", Items: tc.items}})
		if got := wording.Highlights(c); !slices.Equal(got, tc.want) {
			t.Errorf("%q: got %q", tc.items, got)
		}
	}
}

// TestChangelog_iconBeginsTheRow checks that the icon is on the side where lines begin.
func TestChangelog_iconBeginsTheRow(t *testing.T) {
	for title, rtl := range map[string]bool{"Signed links": false, "نسق: أداة سطر أوامر": true} {
		c := openCard(t, "changelog", kit.Spec{RTL: rtl, Texts: kit.Texts{
			Title: title, Version: "0.14.2", SiteName: "GitForge",
		}})
		c.Layout()
		at := map[string]float64{}
		for _, p := range c.PlacedTexts() {
			at[p.Text()] = p.X
		}
		if at["GitForge"] == 0 || (at["G"] > at["GitForge"]) != rtl {
			t.Errorf("right to left: %v, the name and the letter of the icon are at %v", rtl, at)
		}
	}
}

// TestChangelog_longVersionIsBelowTheSite checks that a number below the row with the site keeps clear of it.
func TestChangelog_longVersionIsBelowTheSite(t *testing.T) {
	c := openCard(t, "changelog", kit.Spec{Texts: kit.Texts{
		Title: "웹훅 서명 검증하기", Version: "2026-06", SiteName: "송금이음 개발자 문서",
	}})
	c.Layout()
	ground := c.Canvas().At(2, 2)
	for y := 106; y < 118; y++ {
		for x := 72; x < 1128; x += 3 {
			if c.Canvas().At(x, y) != ground {
				t.Fatalf("the number is at %d,%d, close below the site", x, y)
			}
		}
	}
}
