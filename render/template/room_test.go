package template

import (
	"slices"
	"strings"
	"testing"

	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// openKind opens a card of a template for a test.
func openKind(t *testing.T, slug string, kind kit.Kind, s kit.Spec) *kit.Card {
	t.Helper()
	tmpl, ok := Find(slug, kind)
	if !ok {
		t.Fatalf("there is no template %s of kind %s", slug, kind)
	}
	s.Kind, s.Family, s.Theme = kind, text.Inter, palette.New(palette.RGB(0x4F46E5), true)
	c := kit.Open(tmpl, s, text.NewEngine())
	t.Cleanup(c.Close)
	return c
}

// TestTitle_usesTheRoomOfItsDesign checks that titles that a design has room for are whole, or keep what fits.
func TestTitle_usesTheRoomOfItsDesign(t *testing.T) {
	const (
		arabic = "كيف تثبّت قاعدة بيانات PostgreSQL 17 على خادم Ubuntu " +
			"وتضبط النسخ الاحتياطي التلقائي خطوة بخطوة"
		steps = "Como instalar o PostgreSQL 17 no Ubuntu 24.04 LTS e configurar backups automáticos com pg_dump e " +
			"cron, passo a passo"
		share = "73% dos brasileiros preferem trabalhar de casa, mesmo ganhando menos"
	)
	for _, c := range []struct {
		slug        string
		kind        kit.Kind
		lang, title string
	}{
		{"papercut", kit.BlogHero, "ar", arabic}, {"papercut", kit.BlogHero, "pt", steps},
		{"ribbon", kit.BlogHero, "ar", arabic}, {"ribbon", kit.BlogHero, "pt", share},
		{"ribbon", kit.BlogHero, "pt", steps},
		{"launch", kit.OG, "ar", arabic}, {"launch", kit.OG, "pt", steps},
	} {
		s := kit.Spec{Texts: kit.Texts{Title: c.title, SiteName: "Northlane", Host: "northlane.dev"}}
		s.Lang, s.RTL = c.lang, c.lang == "ar"
		card := openKind(t, c.slug, c.kind, s)
		card.Layout()
		for _, p := range card.PlacedTexts() {
			if p.Role == kit.Title && p.Truncated {
				t.Errorf("%s, %s: the title is %q", c.slug, c.lang, p.Text())
			}
		}
	}
}

// TestTitle_hasBetterLinesInAWiderColumn, even if it is smaller there.
func TestTitle_hasBetterLinesInAWiderColumn(t *testing.T) {
	for _, c := range []struct{ slug, lang, title, whole string }{
		{"split", "de", "VW ruft 80.000 Fahrzeuge der Modelle ID.3 und ID.4 wegen Brandgefahr zurück", "80.000 Fahrzeuge"},
		{"split", "de", "Kinderkrankengeld 2027: Wie viele Tage Ihnen zustehen und wie Sie es beantragen", "Kinderkrankengeld 2027:"},
		{"episode", "ru", "Умер академик Ж. И. Алфёров-младший", "Ж. И. Алфёров-младший"},
	} {
		s := kit.Spec{Texts: kit.Texts{Title: c.title, SiteName: "Northlane", Host: "northlane.dev"}}
		s.Lang = c.lang
		card := openKind(t, c.slug, kit.OG, s)
		card.Layout()
		for _, p := range card.PlacedTexts() {
			if p.Role != kit.Title {
				continue
			}
			if !slices.ContainsFunc(p.Lines, func(l text.Line) bool { return strings.Contains(l.Text, c.whole) }) {
				t.Errorf("%s parts %q in %q", c.slug, c.whole, p.Text())
			}
		}
	}
}

// TestTitle_hasTheRoomAroundIt checks that titles that the usual column would cut are whole, beside a smaller picture,
// and that the guest or the author is below them if those fit too.
func TestTitle_hasTheRoomAroundIt(t *testing.T) {
	const (
		webb = "Webb Telescope Spots Water Vapor Around a Tiny, Steamy Planet Just 97 Light-Years From Earth"
		debt = "Kommentar: Die Schuldenbremse ist nicht das Problem, sondern der fehlende Mut zur Reform"
		long = "How a small team migrated eleven years of customer data across three continents in a single winter " +
			"without a minute of downtime or one lost invoice"
		flu = "Sześć powodów, dla których warto zaszczepić się przeciw grypie jeszcze w tym tygodniu w aptece"
	)
	for _, c := range []struct {
		slug, lang, title string
		below             bool
	}{
		{"episode", "en", webb, true}, {"episode", "de", debt, true}, {"episode", "pl", flu, true},
		{"episode", "en", long, false},
		{"byline", "de", debt, true}, {"byline", "pl", flu, true}, {"event", "pl", flu, true}, {"product", "pl", flu, true},
	} {
		s := kit.Spec{Lang: c.lang, Texts: kit.Texts{Title: c.title, SiteName: "Northlane"}}
		below := "Mina Okafor"
		switch c.slug {
		case "episode":
			s.Play = kit.Play{Known: true, Guest: below, GuestName: below}
		case "byline":
			s.Author, s.Portrait = below, plainLogo(400, 400, palette.RGB(0x884422))
		case "event":
			s.Leaf = kit.Leaf{Day: "14", Time: below, Place: "Oslo"}
		case "product":
			s.Goods.Headline, s.Goods.Rating = below, 4.5
		}
		card, said := openCard(t, c.slug, s), false
		card.Layout()
		for _, p := range card.PlacedTexts() {
			if p.Role == kit.Title && p.Truncated {
				t.Errorf("%s, %s: the title is %q", c.slug, c.lang, p.Text())
			}
			said = said || p.Text() == below
		}
		if said != c.below {
			t.Errorf("%s, %s: says %q: %v", c.slug, c.lang, below, said)
		}
	}
}

// TestTitle_wideColumnKeepsPhrases checks that titles whose lines would part words that belong together in the usual
// column have a wider one beside a smaller picture, and that short ones haven't.
func TestTitle_wideColumnKeepsPhrases(t *testing.T) {
	usual := map[string]float64{"byline": 590, "episode": 568, "event": 590, "product": 524, "split": 614}
	const (
		headphones = "Sony WH-1000XM6 Wireless Noise-Cancelling Headphones, Midnight Blue"
		fair       = "Weihnachtsmarkt am Schloss Charlottenburg: 23. November bis 27. Dezember, täglich ab 13 Uhr"
		recall     = "VW ruft 80.000 Fahrzeuge der Modelle ID.3 und ID.4 wegen Brandgefahr zurück"
		railway    = "Bahn streicht Sparpreis: Tickets nach Berlin ab 15. Dezember bis zu 20 Prozent teurer"
	)
	for _, c := range []struct {
		lang, title, whole string
		long, split        bool
	}{
		{"en", headphones, "Noise-Cancelling", true, false},
		{"de", fair, "am Schloss", true, false},
		{"en", "Challenges Of Getting Funding For Your First Startup", "Of Getting Funding", true, true},
		{"de", railway, "Bahn streicht Sparpreis:", true, false},
		{"de", recall, "80.000 Fahrzeuge", true, true},
		{"en", "Why our cities need more trees", "", false, false},
		{"en", "Ship it on Fridays", "", false, true},
	} {
		slugs := []string{"byline", "episode", "event"}
		if c.split {
			slugs = append(slugs, "split")
		}
		if !c.long {
			slugs = append(slugs, "product")
		}
		for _, slug := range slugs {
			s := kit.Spec{Texts: kit.Texts{Title: c.title, SiteName: "Northlane"}}
			s.Lang = c.lang
			s.Author, s.Portrait = "Mina Okafor", plainLogo(400, 400, palette.RGB(0x884422))
			s.Play = kit.Play{Known: true, Guest: "Mina Okafor", GuestName: "Mina Okafor"}
			s.Leaf = kit.Leaf{Day: "14", Time: "09:30", Place: "Oslo"}
			s.Goods.Headline, s.Goods.Rating = "€24.90", 4.5
			card := openCard(t, slug, s)
			card.Layout()
			for _, p := range card.PlacedTexts() {
				wide := p.BoxWidth > usual[slug]
				onOne := func(l text.Line) bool { return strings.Contains(l.Text, c.whole) }
				if p.Role == kit.Title && (!slices.ContainsFunc(p.Lines, onOne) || wide && !c.long) {
					t.Errorf("%s: the title is %q, %v px wide", slug, p.Text(), p.BoxWidth)
				}
			}
		}
	}
}

// TestLaunch_cutTitleHasNoTagline gives a title that no size lets stay whole the place of the tagline.
func TestLaunch_cutTitleHasNoTagline(t *testing.T) {
	title := strings.Repeat("How a small team migrated eleven years of customer data across three continents ", 4)
	s := kit.Spec{Texts: kit.Texts{Title: title, SiteName: "Northlane", Host: "northlane.dev"}}
	s.Description, s.DescriptionGiven = "The path of one picture.", true
	card := openKind(t, "launch", kit.OG, s)
	card.Layout()
	for _, p := range card.PlacedTexts() {
		if strings.HasPrefix(p.Text(), "The path") {
			t.Error("the title is cut above a tagline")
		}
	}
}

// TestPapercut_nameKeepsClear checks that the name of the site is not right under deep letters of a large title.
func TestPapercut_nameKeepsClear(t *testing.T) {
	for lang, title := range map[string]string{
		"ar": "لماذا نكتب؟", "hi": "हम क्यों पढ़ते हैं?", "en": "Why we write",
	} {
		s := kit.Spec{Texts: kit.Texts{Title: title, SiteName: "Northlane"}}
		s.Lang, s.RTL = lang, lang == "ar"
		card := openKind(t, "papercut", kit.BlogHero, s)
		card.Layout()
		placed := card.PlacedTexts()
		if len(placed) != 2 {
			t.Fatalf("%s: %d texts are placed, want 2", lang, len(placed))
		}
		if gap := placed[1].Bounds().Y0 - placed[0].Bounds().Y1; gap < paperNameClear-1 {
			t.Errorf("%s: the name is %.0f px below the title", lang, gap)
		}
	}
}

// TestEditorial_signatureHasRoom checks the distance between a title that fills the height of a hero and the signature
// below it.
func TestEditorial_signatureHasRoom(t *testing.T) {
	t.Parallel()
	spec := kit.Spec{Texts: kit.Texts{
		Title: "Council Approves $48 Million Plan to Rebuild the Mill Street Bridge by 2029", SiteName: "Riverton Gazette",
		Host: "riverton.example", Author: "R. J. Calloway", Eyebrow: "News",
	}}
	spec.Lang, spec.Date = "en", "12 March 2026"
	card := openKind(t, "editorial", kit.BlogHero, spec)
	card.Layout()
	for _, p := range card.PlacedTexts() {
		if end := p.Bounds().Y1; p.Role == kit.Title && end > 704 {
			t.Errorf("the title ends at %v, above an icon at 754", end)
		}
	}
}

// TestRibbon_longTitleIsLarge checks that a title whose words would be parted at one width has another width rather
// than a small size.
func TestRibbon_longTitleIsLarge(t *testing.T) {
	t.Parallel()
	spec := kit.Spec{Texts: kit.Texts{
		Title:    "Bahn streicht Sparpreis: Tickets nach Berlin ab 15. Dezember bis zu 20 Prozent teurer",
		SiteName: "Tagesblick",
	}}
	spec.Lang = "de"
	card := openKind(t, "ribbon", kit.BlogHero, spec)
	card.Layout()
	for _, p := range card.PlacedTexts() {
		if p.Role == kit.Title && p.SizePx < 72 {
			t.Errorf("%v px: %q", p.SizePx, p.Text())
		}
	}
}
