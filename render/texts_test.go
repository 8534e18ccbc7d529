package render_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/render"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// specOf returns what a template draws a request from.
func specOf(t *testing.T, r render.Request) kit.Spec {
	t.Helper()
	_, spec, err := render.Spec(r)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// textsOf returns what the card of a request may say, with what stands in for a missing title.
func textsOf(t *testing.T, r render.Request) render.Texts {
	t.Helper()
	tmpl, spec, err := render.Spec(r)
	if err != nil {
		t.Fatal(err)
	}
	card := kit.Open(tmpl, spec, text.NewEngine())
	defer card.Close()
	return card.Texts
}

// TestTexts_rawPageIsReadyToBeSet checks what becomes of the texts of a page before they are set.
func TestTexts_rawPageIsReadyToBeSet(t *testing.T) {
	for _, c := range []struct {
		name      string
		raw, want render.Texts
	}{
		{"nothing", render.Texts{}, render.Texts{}},
		{
			"the site's name at the end of the title goes",
			render.Texts{Title: "Fish &amp; chips | Northlane", SiteName: "Northlane", Host: "www.Northlane.dev"},
			render.Texts{Title: "Fish &amp; chips", SiteName: "Northlane", Host: "northlane.dev"},
		},
		{
			"the host stands in for a name, and for a title",
			render.Texts{Host: "northlane.dev", Description: "A description of something that has no title."},
			render.Texts{Title: "northlane.dev", SiteName: "northlane.dev", Host: "northlane.dev"},
		},
		{
			"the name stands in for a title",
			render.Texts{SiteName: "Northlane", Host: "northlane.dev", Description: "What Northlane does."},
			render.Texts{
				Title: "Northlane", SiteName: "Northlane", Host: "northlane.dev", Description: "What Northlane does.",
			},
		},
		{
			"a name that is the host is shortened with it",
			render.Texts{Title: "News", SiteName: "www.northlane.dev", Host: "www.northlane.dev"},
			render.Texts{Title: "News", SiteName: "northlane.dev", Host: "northlane.dev"},
		},
		{
			"a name that is an address becomes the host",
			render.Texts{Title: "News", SiteName: "https://northlane.dev/", Host: "northlane.dev"},
			render.Texts{Title: "News", SiteName: "northlane.dev", Host: "northlane.dev"},
		},
		{
			"a motto leaves the name",
			render.Texts{Title: "News", SiteName: "Aktuálně.cz - Víte, co se právě děje"},
			render.Texts{Title: "News", SiteName: "Aktuálně.cz"},
		},
		{
			"a short name keeps its dash",
			render.Texts{Title: "News", SiteName: "Acme - Labs"},
			render.Texts{Title: "News", SiteName: "Acme - Labs"},
		},
		{
			"broken bytes go; text folds what is no letter",
			render.Texts{Title: "a\x00b\r\n\tc\xff", Eyebrow: "x\xffy"},
			render.Texts{Title: "a\x00b\r\n\tc", Eyebrow: "xy"},
		},
		{
			"lists have three entries",
			render.Texts{Title: "t", Items: []string{"a", "", "b", "c", "d"}, Crumb: []string{"", "x"}},
			render.Texts{Title: "t", Items: []string{"a", "b", "c"}, Crumb: []string{"x"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := textsOf(t, render.Request{Texts: c.raw})
			if !slices.Equal(got.Items, c.want.Items) || !slices.Equal(got.Crumb, c.want.Crumb) {
				t.Errorf("lists are %q and %q, want %q and %q", got.Items, got.Crumb, c.want.Items, c.want.Crumb)
			}
			for _, f := range []struct{ name, got, want string }{
				{"title", got.Title, c.want.Title}, {"description", got.Description, c.want.Description},
				{"site name", got.SiteName, c.want.SiteName}, {"host", got.Host, c.want.Host},
				{"eyebrow", got.Eyebrow, c.want.Eyebrow},
			} {
				if f.got != f.want {
					t.Errorf("%s is %q, want %q", f.name, f.got, f.want)
				}
			}
		})
	}
}

// TestTexts_hostIsNoText checks that a host is shown as it is, also where it stands in for a name or a title: no
// quotes, no dashes, no dots are put into it.
func TestTexts_hostIsNoText(t *testing.T) {
	for _, host := range []string{"xn--bcher-kva.example", "main--site.netlify.app", "a---b.example", "it's...x.example"} {
		for _, name := range []string{"", host, strings.ToUpper(host)} {
			got := textsOf(t, render.Request{Texts: render.Texts{SiteName: name, Host: host}, Lang: "de"})
			want := host
			if name != "" {
				want = name // in the letters that the page chose
			}
			if got.Host != host || got.SiteName != want || got.Title != want {
				t.Errorf("%q, named %q: got host %q, name %q, title %q", host, name, got.Host, got.SiteName, got.Title)
			}
		}
	}
}

// TestTexts_escapedTitleIsDrawnAsGiven checks that nothing is decoded here: texts come in as a page says them.
func TestTexts_escapedTitleIsDrawnAsGiven(t *testing.T) {
	const title = "How to write &amp; in HTML"
	pic, err := render.Draw(t.Context(), render.Request{Texts: render.Texts{Title: title, Host: "northlane.dev"}})
	if err != nil || pic.Title != title {
		t.Errorf("got %q, %v, want %q", pic.Title, err, title)
	}
}

// TestTexts_shortOnesAreInTheTypographyOfTheLanguage checks the quotes of every text that is not the title.
func TestTexts_shortOnesAreInTheTypographyOfTheLanguage(t *testing.T) {
	const raw = `Das "Wort" -- hier`
	for lang, want := range map[string]string{
		"": "Das “Wort” – hier", "de-AT": "Das „Wort“ – hier", "fr": "Das « Wort » – hier", "ja": "Das 「Wort」 – hier",
	} {
		got := specOf(t, render.Request{Lang: lang, Texts: render.Texts{
			Title: raw, SiteName: raw, Author: raw, Crumb: []string{raw}, Items: []string{raw},
		}}).Texts
		section := specOf(t, render.Request{Lang: lang, Texts: render.Texts{Title: "Other", Eyebrow: raw}}).Texts
		for name, s := range map[string]string{
			"title": got.Title, "site name": got.SiteName, "eyebrow": section.Eyebrow, "author": got.Author,
			"crumb": got.Crumb[0], "item": got.Items[0],
		} {
			if s != want {
				t.Errorf("%s in %q: got %q, want %q", name, lang, s, want)
			}
		}
	}
}

// TestTexts_everyFieldIsPassedOn fills each field of a request's texts and looks for it in what is drawn.
func TestTexts_everyFieldIsPassedOn(t *testing.T) {
	var raw render.Texts
	in := reflect.ValueOf(&raw).Elem()
	for i := range in.NumField() {
		word := "the " + strings.ToLower(in.Type().Field(i).Name)
		switch f := in.Field(i); f.Interface().(type) {
		case string:
			f.SetString(word)
		case bool:
			f.SetBool(true)
		case []string:
			f.Set(reflect.ValueOf([]string{word}))
		case render.Project:
			f.Set(reflect.ValueOf(render.Project{Language: word, Stars: 37, License: "MIT"}))
		case render.Code:
			f.Set(reflect.ValueOf(render.Code{Lines: []string{word}, First: 2, Language: "go"}))
		default:
			t.Fatalf("a field of type %s: say here how to fill it", f.Type())
		}
	}
	out := reflect.ValueOf(specOf(t, render.Request{Texts: raw}).Texts)
	for i := range in.NumField() {
		if !reflect.DeepEqual(out.Field(i).Interface(), in.Field(i).Interface()) {
			t.Errorf("%s: got %v, want %v", in.Type().Field(i).Name, out.Field(i), in.Field(i))
		}
	}
}

// TestTexts_longOnesAreBounded checks that no text reaches the layout at a length that only costs time.
func TestTexts_longOnesAreBounded(t *testing.T) {
	long := strings.Repeat("wörd ", 100_000)
	got := specOf(t, render.Request{
		Lang:  long,
		Texts: render.Texts{Title: long, Description: long, Eyebrow: long, Author: long, Items: []string{long}},
	})
	if name := strings.Repeat("ที่", 66); specOf(t, render.Request{Texts: render.Texts{SiteName: name}}).SiteName != name {
		t.Error("a name of 198 characters in Thai was cut, want it whole")
	}
	for name, s := range map[string]string{
		"title": got.Title, "description": got.Description, "eyebrow": got.Eyebrow, "author": got.Author,
		"item": got.Items[0],
	} {
		if len(s) > 4000 || len(s) < 100 || strings.ContainsRune(s, '\uFFFD') {
			t.Errorf("%s has %d bytes, want it cut between letters", name, len(s))
		}
	}
}

// TestDate_isWrittenInTheLanguageOfThePage checks days and reading times in the language of the page.
func TestDate_isWrittenInTheLanguageOfThePage(t *testing.T) {
	day := time.Date(2026, time.March, 12, 23, 30, 0, 0, time.FixedZone("", -11*3600))
	for _, c := range []struct{ lang, date, reading string }{
		{"", "12 March 2026", "8 min read"},
		{"en", "12 March 2026", "8 min read"},
		{"en-GB", "12 March 2026", "8 min read"},
		{"en-US", "March 12, 2026", "8 min read"},
		{"en_us", "March 12, 2026", "8 min read"},
		{"de-AT", "12. März 2026", "8 Min. Lesezeit"},
		{"fr", "12 mars 2026", "8 min de lecture"},
		{"es-419", "12 de marzo de 2026", "8 min de lectura"},
		{"hu", "2026. március 12.", "8 perc olvasás"},
		{"nn", "12. mars 2026", "8 min lesing"},
		{"ru", "12 марта 2026 г.", "8 мин чтения"},
		{"el", "12 Μαρτίου 2026", "8 λεπ. ανάγνωσης"},
		{"ar", "12 مارس 2026", "8 دقائق قراءة"},
		{"he", "12 במרץ 2026", "8 דקות קריאה"},
		{"vi", "12 tháng 3, 2026", "8 phút đọc"},
		{"th", "12 มีนาคม 2569", "อ่าน 8 นาที"},
		{"ja", "2026年3月12日", "8分で読めます"},
		{"zh-Hant-TW", "2026年3月12日", "8分鐘閱讀"},
		{"ko-KR", "2026년 3월 12일", "8분 읽기"},
		{"eo", "2026-03-12", "8 min"},
		{strings.Repeat("x", 1000), "2026-03-12", "8 min"},
	} {
		got := specOf(t, render.Request{Published: day, ReadingMinutes: 8, Lang: c.lang})
		if got.Date != c.date || got.ReadingTime != c.reading {
			t.Errorf("in %.12q: %q and %q, want %q and %q", c.lang, got.Date, got.ReadingTime, c.date, c.reading)
		}
	}
}

// TestReadingTime_formsOfNumbers checks the forms of languages that count.
func TestReadingTime_formsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		lang    string
		minutes int
		want    string
	}{
		{"ar", 1, "دقيقة قراءة"}, {"ar", 2, "دقيقتا قراءة"}, {"ar", 3, "3 دقائق قراءة"}, {"ar", 10, "10 دقائق قراءة"},
		{"ar", 11, "11 دقيقة قراءة"}, {"ar", 40, "40 دقيقة قراءة"}, {"he", 1, "דקת קריאה"}, {"he", 12, "12 דקות קריאה"},
		{"en", 1, "1 min read"}, {"en", 0, ""}, {"en", -4, ""}, {"en", 1000, ""},
	} {
		if got := specOf(t, render.Request{ReadingMinutes: c.minutes, Lang: c.lang}); got.ReadingTime != c.want {
			t.Errorf("%d minutes in %s: %q, want %q", c.minutes, c.lang, got.ReadingTime, c.want)
		}
	}
}

// FuzzDraw gives pages of strangers to every template: no text may make one fail.
func FuzzDraw(f *testing.F) {
	f.Add("Why we moved our render queue to Postgres", "Six months, one outage and a 40% cost cut.", "Northlane",
		"northlane.dev", "Engineering", "en", uint8(0))
	f.Add("لماذا نقلنا قائمة انتظار العرض إلى Postgres", "", "نورثلين", "northlane.dev", "הנדסה", "ar", uint8(3))
	f.Add("🚀👩‍👩‍👧‍👦", "\u202e\u2067abc\u2069", "🇩🇪", "xn--bcher-kva.example", "ﷺﷺﷺ", "zh-Hant", uint8(9))
	f.Add("a\u0300\u0301\u0302\u0303\u0304\u0305 \u200b\u00ad\u2060", "ก็็็็็", "\x00\xff", "..", "i", "tr", uint8(77))
	f.Add(strings.Repeat("W", 300), strings.Repeat("— ", 80), "", "", "", "", uint8(200))
	templates := render.Templates()
	fonts := render.Fonts()
	f.Fuzz(func(t *testing.T, title, description, site, host, eyebrow, lang string, n uint8) {
		info := templates[int(n)%len(templates)]
		r := render.Request{
			Template: info.Slug, Kind: info.Kinds[int(n/4)%len(info.Kinds)],
			Lang: lang, Font: fonts[int(n)%len(fonts)], Dark: n%2 == 0,
			Texts: render.Texts{
				Title: title, Description: description, SiteName: site, Host: host, Eyebrow: eyebrow, Author: site,
			},
		}
		if n%16 == 5 {
			r.Dir = "rtl"
		}
		if _, err := render.Paint(t.Context(), r); err != nil {
			t.Error(err)
		}
	})
}

// TestHost_shownAsPeopleSayIt checks that hosts are shown as people say them.
func TestHost_shownAsPeopleSayIt(t *testing.T) {
	for _, c := range []struct{ host, lang, want string }{
		{"www.Example.com", "", "example.com"}, {"www1.folha.uol.com.br", "pt", "folha.uol.com.br"},
		{"m.daejonilbo.com", "ko", "daejonilbo.com"}, {"en.wikipedia.org", "", "wikipedia.org"},
		{"www.en.m.wikipedia.org", "en", "wikipedia.org"}, {"amp.rp.pl", "pl", "rp.pl"},
		{"my.example.com", "en", "my.example.com"}, {"my.example.com", "my-MM", "example.com"},
		{"tv.example.com", "", "tv.example.com"}, {"www.gov.uk", "en", "www.gov.uk"}, {"m.co.uk", "en", "m.co.uk"},
		{"www.bbc.co.uk", "en", "bbc.co.uk"}, {"de.github.io", "de", "de.github.io"}, {"www.com", "", "www.com"},
		{"m", "", "m"}, {"wwwhat.example.com", "", "wwwhat.example.com"}, {"de.com", "de", "de.com"},
		{"news.example.com", "", "news.example.com"}, {"127.0.0.1", "", "127.0.0.1"}, {"www.", "", "www."},
	} {
		if got := specOf(t, render.Request{Texts: render.Texts{Host: c.host}, Lang: c.lang}).Host; got != c.want {
			t.Errorf("%s in %q is shown as %q, want %q", c.host, c.lang, got, c.want)
		}
	}
}
