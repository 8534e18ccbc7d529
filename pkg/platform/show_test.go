package platform_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"masthead/pkg/platform"
)

// goodPage is a page that every platform shows whole.
func goodPage() platform.Page {
	return platform.Page{
		URL: "https://www.northlane.example/blog/queue", Host: "www.northlane.example", Status: 200,
		Card: "summary_large_image",
		Tags: []platform.Tag{
			{Key: "title", Value: "Northlane: a queue in Postgres", End: 100},
			{Key: "og:title", Value: "Why we moved our queue to Postgres", End: 200},
			{Key: "og:description", Value: "Six months, one outage and a 40% cost cut.", End: 300},
			{Key: "og:site_name", Value: "Northlane", End: 400},
			{Key: "og:image", Value: "/share.jpg", End: 500},
			{Key: "twitter:card", Value: "summary_large_image", End: 600},
		},
		Pictures: []platform.ShareImage{{
			Tag: "og:image", URL: "https://www.northlane.example/share.jpg", Width: 1200, Height: 630,
			Format: "jpeg", Bytes: 120_000,
		}},
	}
}

func set(p *platform.Page, key, value string) {
	for i := range p.Tags {
		if p.Tags[i].Key == key {
			p.Tags[i].Value = value
			return
		}
	}
	p.Tags = append(p.Tags, platform.Tag{Key: key, Value: value})
}

func TestShow_goodPage_isWholeEverywhere(t *testing.T) {
	all := platform.ShowAll(goodPage())
	if len(all) != 8 {
		t.Fatalf("platforms: got %d, want 8", len(all))
	}
	for _, s := range all {
		layout, lost, verdict := platform.Large, 0.01, platform.Whole
		if s.Platform == "x" { // which always does that
			verdict = platform.TitleOver
		}
		if s.Platform == "linkedin" { // posts there show a small picture, in 16:9
			layout, lost = platform.Small, 0.07
		}
		if s.Verdict != verdict || s.Verdict.Severity() != 0 || s.Layout != layout ||
			s.Title != "Why we moved our queue to Postgres" ||
			s.TitleFrom != "og:title" || s.PictureFrom != "og:image" || s.Lost > lost || s.Width == 0 {
			t.Errorf("%s: got %+v", s.Name, s)
		}
	}
	if got := platform.Worst(all[:2]); got != 0 {
		t.Errorf("worst of equals: got %d, want the first", got)
	}
}

func TestShow_sayWhatArrives(t *testing.T) {
	long := strings.Repeat("Seven words that go on for long ", 9)
	cases := []struct {
		name     string
		platform string
		change   func(*platform.Page)
		verdict  platform.Verdict
		layout   platform.Layout
		note     string
		check    func(*testing.T, platform.Preview)
	}{
		{"no card but tags of Open Graph", "x", func(p *platform.Page) {
			p.Card = "summary"
			set(p, "twitter:card", "")
		}, platform.SmallCard, platform.Small, "there is no twitter:card", func(t *testing.T, s platform.Preview) {
			if math.Abs(s.Lost-0.475) > 0.001 || s.Width != 130 || s.Height != 130 {
				t.Errorf("got %+v, want a square that loses 47.5 %%", s)
			}
			if s.Description == "" {
				t.Error("small cards of X show the description")
			}
		}},
		{"no card at all", "x", func(p *platform.Page) { p.Card = "" }, platform.BareLink, platform.Link,
			"There is no card", nil},
		{"title element alone", "x", func(p *platform.Page) { set(p, "og:title", "") }, platform.BareLink, platform.Link,
			"no title that X reads", nil},
		{"title element alone", "facebook", func(p *platform.Page) { set(p, "og:title", "") }, platform.Whole,
			platform.Large, "title element", func(t *testing.T, s platform.Preview) {
				if s.Title != "Northlane: a queue in Postgres" || s.TitleFrom != "title" ||
					s.Site != "NORTHLANE.EXAMPLE" {
					t.Errorf("got %+v", s)
				}
			}},
		{"long title", "x", func(p *platform.Page) { set(p, "og:title", long) }, platform.TitleCut, platform.Large,
			"Title cut at 70 characters", func(t *testing.T, s platform.Preview) {
				if !strings.HasSuffix(s.Title, "…") || len([]rune(s.Title)) > 70 {
					t.Errorf("title: %q", s.Title)
				}
			}},
		{"long title", "slack", func(p *platform.Page) { set(p, "og:title", long) }, platform.Whole, platform.Large, "",
			func(t *testing.T, s platform.Preview) {
				if s.Title != long {
					t.Errorf("title: %q", s.Title)
				}
			}},
		{"own title for X", "x", func(p *platform.Page) { set(p, "twitter:title", "Short") }, platform.TitleOver,
			platform.Large, "X puts the title over the lower edge of the picture.", func(t *testing.T, s platform.Preview) {
				if s.Title != "Short" || s.TitleFrom != "twitter:title" || s.Description != "" {
					t.Errorf("got %+v", s)
				}
			}},
		{"own title for X", "imessage", func(p *platform.Page) { set(p, "twitter:title", "Short") }, platform.Whole,
			platform.Large, "", func(t *testing.T, s platform.Preview) {
				if s.Title == "Short" {
					t.Errorf("got %+v", s)
				}
			}},
		{"crawler refused", "linkedin", func(p *platform.Page) { p.Blocked = []string{"LinkedInBot"} },
			platform.BareLink, platform.Link, "robots.txt refuses LinkedInBot", func(t *testing.T, s platform.Preview) {
				if s.Title != "https://www.northlane.example/blog/queue" {
					t.Errorf("a bare link shows %q", s.Title)
				}
			}},
		{"all refused", "imessage", func(p *platform.Page) { p.Blocked = platform.Tokens() }, platform.Whole,
			platform.Large, "", nil},
		{"picture refused", "linkedin", func(p *platform.Page) { p.Pictures[0].Blocked = []string{"LinkedInBot"} },
			platform.NoPicture, platform.TextOnly, "robots.txt refuses the picture", nil},
		{"page gone", "telegram", func(p *platform.Page) { p.Status = 404 }, platform.BareLink, platform.Link,
			"status 404", nil},
		{"heavy picture", "whatsapp", func(p *platform.Page) { p.Pictures[0].Bytes = 1_400_000 }, platform.NoPicture,
			platform.TextOnly, "1.4 MB; pictures over 600 KB are dropped", nil},
		{"heavy picture", "facebook", func(p *platform.Page) { p.Pictures[0].Bytes = 1_400_000 }, platform.Whole,
			platform.Large, "", nil},
		{"more than safe", "whatsapp", func(p *platform.Page) { p.Pictures[0].Bytes = 400_001 }, platform.Whole,
			platform.Large, "401 KB; pictures over 300 KB may be dropped", nil},
		{"panorama", "whatsapp", func(p *platform.Page) { p.Pictures[0].Width = 3000 }, platform.NoPicture,
			platform.TextOnly, "times as wide as high", nil},
		{"tags behind what is read", "whatsapp", func(p *platform.Page) {
			for i := range p.Tags[1:] {
				p.Tags[i+1].End += 400_000
			}
		}, platform.NoPicture, platform.TextOnly, "", func(t *testing.T, s platform.Preview) {
			if s.TitleFrom != "title" || s.Description != "" {
				t.Errorf("got %+v", s)
			}
		}},
		{"small picture", "facebook", func(p *platform.Page) { p.Pictures[0].Width, p.Pictures[0].Height = 400, 210 },
			platform.SmallCard, platform.Small, "large ones begin at 600x315", nil},
		{"tiny picture", "facebook", func(p *platform.Page) { p.Pictures[0].Width, p.Pictures[0].Height = 190, 100 },
			platform.NoPicture, platform.TextOnly, "shows none below 200x200", nil},
		{"narrow picture", "linkedin", func(p *platform.Page) { p.Pictures[0].Width, p.Pictures[0].Height = 400, 210 },
			platform.Whole, platform.Small, "as in all posts", nil},
		{"wide title", "x", func(p *platform.Page) { p.Tags[1].Value = strings.Repeat("漢字", 20) }, platform.TitleCut,
			platform.Large, "Title cut at the width of 70 Latin characters.", nil},
		{"small picture on a large card", "x", func(p *platform.Page) {
			p.Pictures[0].Width, p.Pictures[0].Height = 200, 200
		}, platform.NoPicture, platform.TextOnly, "below 300x157", nil},
		{"huge picture", "x", func(p *platform.Page) { p.Pictures[0].Width, p.Pictures[0].Height = 5000, 2600 },
			platform.NoPicture, platform.TextOnly, "4096", nil},
		{"format", "linkedin", func(p *platform.Page) { p.Pictures[0].Format = "webp" }, platform.NoPicture,
			platform.TextOnly, "LinkedIn shows no WEBP", nil},
		{"uncertain format", "telegram", func(p *platform.Page) { p.Pictures[0].Format = "webp" }, platform.Whole,
			platform.Large, "not certain that Telegram shows WEBP", nil},
		{"long title", "imessage", func(p *platform.Page) { set(p, "og:title", long) }, platform.Whole, platform.Large, "",
			func(t *testing.T, s platform.Preview) {
				if s.Title != long || s.TitleCut {
					t.Errorf("title: %q", s.Title)
				}
			}},
		{"drawing", "discord", func(p *platform.Page) { p.Pictures[0].Format = "svg" }, platform.NoPicture,
			platform.TextOnly, "Discord shows no SVG", nil},
		{"broken picture", "slack", func(p *platform.Page) { p.Pictures[0].Fault = "it answered with status 404" },
			platform.NoPicture, platform.TextOnly, "does not load: it answered with status 404", nil},
		{"no picture", "telegram", func(p *platform.Page) { p.Pictures = nil }, platform.NoPicture, platform.TextOnly,
			"no picture that Telegram takes", nil},
		{"picture of X alone", "facebook", func(p *platform.Page) { p.Pictures[0].Tag = "twitter:image" },
			platform.NoPicture, platform.TextOnly, "", nil},
		{"picture of X alone", "discord", func(p *platform.Page) { p.Pictures[0].Tag = "twitter:image" },
			platform.Whole, platform.Large, "", nil},
		{"square picture", "linkedin", func(p *platform.Page) { p.Pictures[0].Height = 1200 }, platform.PictureCut,
			platform.Small, "1.78:1 from the middle: 44% of the picture is cut off", func(t *testing.T, s platform.Preview) {
				if s.Crop.X != 0 || s.Crop.Width != 1 || math.Abs(s.Crop.Y-0.219) > 0.001 {
					t.Errorf("crop: %+v", s.Crop)
				}
			}},
		{"square picture", "slack", func(p *platform.Page) { p.Pictures[0].Height = 1200 }, platform.Whole, platform.Large,
			"", func(t *testing.T, s platform.Preview) {
				if s.Width != 360 || s.Height != 360 || s.Lost != 0 {
					t.Errorf("got %+v", s)
				}
			}},
		{"unmeasured picture", "facebook", func(p *platform.Page) { p.Pictures[0].Width, p.Pictures[0].Height = 0, 0 },
			platform.Whole, platform.Large, "", nil},
		{"no site name", "discord", func(p *platform.Page) { set(p, "og:site_name", "") }, platform.Whole, platform.Large,
			"", func(t *testing.T, s platform.Preview) {
				if s.Site != "" {
					t.Errorf("site: %q", s.Site)
				}
			}},
		{"no site name", "telegram", func(p *platform.Page) { set(p, "og:site_name", "") }, platform.Whole, platform.Large,
			"", func(t *testing.T, s platform.Preview) {
				if s.Site != "northlane.example" {
					t.Errorf("site: %q", s.Site)
				}
			}},
	}
	for _, c := range cases {
		t.Run(c.platform+"/"+c.name, func(t *testing.T) {
			page := goodPage()
			c.change(&page)
			p, ok := platform.Find(c.platform)
			if !ok {
				t.Fatalf("no platform %s", c.platform)
			}
			got := platform.Show(&p, page)
			if got.Verdict != c.verdict || got.Layout != c.layout {
				t.Errorf("got %s, %s, want %s, %s: %q", got.Verdict, got.Layout, c.verdict, c.layout, got.Notes)
			}
			if !strings.Contains(strings.Join(got.Notes, "\n"), c.note) {
				t.Errorf("notes: got %q, want one with %q", got.Notes, c.note)
			}
			if c.check != nil {
				c.check(t, got)
			}
		})
	}
}

func TestWorst_byVerdictThenByLoss(t *testing.T) {
	all := []platform.Preview{
		{Verdict: platform.TitleCut}, {Verdict: platform.PictureCut, Lost: 0.2}, {Verdict: platform.PictureCut, Lost: 0.4},
		{Verdict: platform.Whole},
	}
	if got := platform.Worst(all); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
	if got := platform.Worst(append(all, platform.Preview{Verdict: platform.BareLink})); got != 4 {
		t.Errorf("got %d, want 4", got)
	}
	if got := platform.Worst(nil); got != -1 {
		t.Errorf("got %d, want -1", got)
	}
}

func TestCut(t *testing.T) {
	cases := []struct {
		name, text string
		columns    int
		want       string
		cut        bool
	}{
		{"fits", "Hello world", 11, "Hello world", false},
		{"no limit", strings.Repeat("a", 500), 0, strings.Repeat("a", 500), false},
		{"at a word", "Hello wonderful world of cards", 18, "Hello wonderful…", true},
		{"in a long word", "Donaudampfschifffahrtsgesellschaft", 11, "Donaudampf…", true},
		{"wide characters", "日本語の題名がここにある", 11, "日本語の題…", true},
		{"clusters stay whole", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 6, "👨‍👩‍👧👨‍👩‍👧…", true},
		{"word ends at the cut", "Hello world again", 12, "Hello world…", true},
	}
	for _, c := range cases {
		if got, cut := platform.Cut(c.text, c.columns); got != c.want || cut != c.cut {
			t.Errorf("%s: got %q, %v, want %q, %v", c.name, got, cut, c.want, c.cut)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("Hello wonderful world of cards", 18)
	f.Add("日本語の題名がここにある", 3)
	f.Add("a\xffb\u0301\u0301 c", 2)
	f.Fuzz(func(t *testing.T, text string, columns int) {
		got, cut := platform.Cut(text, columns)
		if !cut && got != text {
			t.Errorf("not cut and changed: %q to %q", text, got)
		}
		if cut && (columns <= 0 || uniseg.StringWidth(got) > columns || !strings.HasSuffix(got, "…")) {
			t.Errorf("%q cut to %d columns gives %q", text, columns, got)
		}
	})
}

// TestShow_cropOverTexts has texts on a picture of ours that LinkedIn's crop of the middle cuts, or doesn't.
func TestShow_cropOverTexts(t *testing.T) {
	linkedin, _ := platform.Find("linkedin")
	text := func(name string, x, width float64) platform.PictureText {
		return platform.PictureText{Name: name, Box: platform.Rect{X: x, Y: .2, Width: width, Height: .3}}
	}
	for _, c := range []struct {
		texts []platform.PictureText
		note  string
	}{
		{[]platform.PictureText{text("the title", .06, .5), text("the site’s name", .06, .2)}, "No text is cut."},
		{[]platform.PictureText{text("the title", .01, .5), text("the author", .9, .1)}, "That cuts the title and the author."},
		{[]platform.PictureText{text("a text", .97, .02), text("the title", 0, 1)}, "That cuts the title and a text."},
		{nil, "at the edges is shown."},
	} {
		page := goodPage()
		page.Pictures[0].Texts = c.texts
		if got := platform.Show(&linkedin, page); !strings.HasSuffix(strings.Join(got.Notes, " "), c.note) {
			t.Errorf("%v: got %q, want %q", c.texts, got.Notes, c.note)
		}
	}
}

// TestShow_titleOverTexts has texts on a picture of ours that X covers with its title, or doesn't.
func TestShow_titleOverTexts(t *testing.T) {
	x, _ := platform.Find("x")
	corner, beside := platform.Rect{X: .04, Y: .9, Width: .2, Height: .05}, platform.Rect{X: .75, Y: .9, Width: .2, Height: .05}
	above := platform.Rect{X: .04, Y: .2, Width: .5, Height: .3}
	for _, c := range []struct {
		title string
		texts []platform.PictureText
		note  string
	}{
		{"Short", []platform.PictureText{{"the title", above}, {"the site’s name", corner}}, "where it covers the site’s name."},
		{"Short", []platform.PictureText{{"the title", above}, {"a text", beside}}, "over the lower edge of the picture."},
		{strings.Repeat("long title ", 6), []platform.PictureText{{"a text", corner}, {"a text", beside}, {"the title", corner}},
			"where it covers a text and the title."},
		{"Short", nil, "over the lower edge of the picture."},
	} {
		page := goodPage()
		set(&page, "og:title", c.title)
		page.Pictures[0].Texts = c.texts
		got := platform.Show(&x, page)
		if got.Verdict != platform.TitleOver || !strings.HasSuffix(got.Notes[len(got.Notes)-1], c.note) {
			t.Errorf("%q over %v: got %s, %q, want %q", c.title, c.texts, got.Verdict, got.Notes, c.note)
		}
		facebook, _ := platform.Find("facebook")
		if other := platform.Show(&facebook, page); strings.Contains(strings.Join(other.Notes, " "), "over the lower edge") {
			t.Errorf("Facebook: %q", other.Notes)
		}
	}
}
