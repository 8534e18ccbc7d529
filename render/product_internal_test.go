package render

import (
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/render/template/kit"
	"masthead/render/text"
)

func TestMoney_languages_writePricesAsTheyDo(t *testing.T) {
	for _, c := range []struct{ number, currency, lang, want string }{
		{"24.90", "EUR", "en", "€24.90"}, {"24.90", "EUR", "de-AT", "24,90 €"}, {"1299", "USD", "en", "$1,299"},
		{"1299.50", "EUR", "fr", "1\u202F299,50 €"}, {"3200", "JPY", "ja", "¥3,200"}, {"249", "SEK", "sv", "249 kr"},
		{"249", "SEK", "en", "SEK 249"}, {"24.90", "EUR", "nl", "€ 24,90"}, {"24.90", "BRL", "pt-BR", "R$ 24,90"},
		{"1234.50", "MXN", "es-MX", "1,234.50 MXN"}, {"1234.50", "EUR", "es", "1.234,50 €"},
		{"24.90", "CHF", "de", "24,90 CHF"}, {"5", "EUR", "", "€5"}, {"", "EUR", "en", ""}, {"1000000", "INR", "en", "₹1,000,000"},
		{"1200", "TWD", "zh-Hant", "NT$1,200"}, {"12", "USD", "zh-TW", "US$12"}, {"30", "CNY", "zh-Hant", "CN¥30"},
		{"30", "CNY", "zh-Hans", "¥30"}, {"12", "USD", "pt-BR", "US$ 12"}, {"12", "USD", "es", "12 $"},
		{"490.00", "THB", "th", "฿490"}, {"490.50", "THB", "th", "฿490.50"}, {"12.00", "EUR", "es", "12,00 €"},
	} {
		if got := strings.ReplaceAll(money(c.number, c.currency, c.lang), noBreakSpace, " "); got != c.want {
			t.Errorf("%s %s in %q: got %q, want %q", c.number, c.currency, c.lang, got, c.want)
		}
	}
}

func TestLength_isWrittenInMinutesAndHours(t *testing.T) {
	for lang, want := range map[string]string{
		"": "45 min|1 hr 20 min|2 hr|1 hr 5 min", "fr": "45 min|1 h 20|2 h|1 h 05", "de": "45 Min.|1 Std. 20 Min.|2 Std.|1 Std. 5 Min.", "ja": "45分|1時間20分|2時間|1時間5分",
		"zh-CN": "45分钟|1小时20分钟|2小时|1小时5分钟", "zh-Hant": "45分鐘|1小時20分鐘|2小時|1小時5分鐘",
		"zh_TW": "45分鐘|1小時20分鐘|2小時|1小時5分鐘",
		"xx":    "45 min|1 h 20|2 h|1 h 05",
	} {
		var got []string
		w := wordsFor(lang)
		for _, d := range []time.Duration{45 * time.Minute, 80 * time.Minute, 2 * time.Hour, 65*time.Minute + time.Second} {
			got = append(got, w.length(d))
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: got %s, want %s", lang, s, want)
		}
	}
}

func TestGoods_showsWhatIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		product              Product
		lang, headline, said string
	}{
		"a range":          {Product{Price: "19", HighPrice: "29", Currency: "EUR"}, "en", "from €19", ""},
		"in Turkish":       {Product{Price: "19", HighPrice: "29", Currency: "TRY"}, "tr", "₺19 – ₺29", ""},
		"a rating":         {Product{Rating: 4.7, Votes: 1284, Stock: "in"}, "en", "", "4.7 (1,284)|In stock"},
		"in German":        {Product{Rating: 4.7, Votes: 1284, Stock: "few"}, "de", "", "4,7 (1.284)|Letzte Stücke"},
		"a recipe":         {Product{Time: 45 * time.Minute, Servings: 6}, "en", "45 min", "6 servings"},
		"a book":           {Product{Upright: true, Creator: "Ada", Pages: 312, Year: 2019}, "en", "Ada", "312 pages|2019"},
		"a book in stock":  {Product{Upright: true, Creator: "Ada", Price: "9", Pages: 312, Stock: "in"}, "en", "Ada", "312 pages"},
		"a book, sold out": {Product{Upright: true, Creator: "Ada", Price: "9", Stock: "out"}, "en", "Ada", "Sold out"},
		"a book in Thai":   {Product{Upright: true, Creator: "Ada", Year: 2026}, "th", "Ada", "2569"},
		"unknown words":    {Product{Stock: "in", Servings: 4, Time: time.Hour}, "xx", "1 h", ""},
		"nothing at all":   {Product{}, "en", "", ""},
	} {
		g := c.product.goods(c.lang)
		got := strings.ReplaceAll(g.Headline, noBreakSpace, " ")
		if got != c.headline || strings.Join(g.Facts, "|") != c.said {
			t.Errorf("%s: got %q, %q", name, g.Headline, g.Facts)
		}
	}
}

// TestGoods_stockIsShownBesideARating: in every language the row has room for its words beside a rating.
func TestGoods_stockIsShownBesideARating(t *testing.T) {
	for lang, w := range factWordsOf {
		for stock, word := range map[string]string{"few": w.few, "in": w.inStock, "out": w.soldOut} {
			r, _ := Sample("product")
			r.Lang, r.Product.Votes, r.Product.Rating, r.Product.Stock = lang, 284, 4.7, stock
			tmpl, spec, err := r.spec()
			if err != nil {
				t.Fatal(err)
			}
			card := kit.Open(tmpl, spec, text.NewEngine())
			card.Layout()
			shows := func(p kit.Text) bool { return strings.Contains(p.Text(), word) }
			if !slices.ContainsFunc(card.PlacedTexts(), shows) {
				t.Errorf("%s: there is no room for %q", lang, word)
			}
			card.Close()
		}
	}
}

func TestPlay_showsWhatIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		episode     Episode
		lang, facts string
		known       bool
	}{
		"an episode":  {Episode{Number: 48, Length: 52 * time.Minute}, "en", "Episode 48|52 min", true},
		"of season 1": {Episode{Number: 7, Season: 1}, "de", "Folge 7", true},
		"of season 2": {Episode{Number: 7, Season: 2}, "de", "Staffel 2|Folge 7", true},
		"in Hindi": {Episode{Number: 48, Length: 52 * time.Minute}, "hi",
			"एपिसोड 48|52 मिनट", true},
		"no words":     {Episode{Number: 7}, "xx", "#7", true},
		"a video":      {Episode{Video: true, Length: 767 * time.Second}, "en", "12:47", true},
		"a long one":   {Episode{Video: true, Length: 3729 * time.Second}, "de", "1:02:09", true},
		"a show alone": {Episode{Show: "Bees"}, "en", "", false},
		"a film":       {Episode{Length: 97 * time.Minute}, "en", "", false},
		"of a show":    {Episode{Show: "Bees", Length: 52 * time.Minute}, "en", "52 min", true},
	} {
		if p := c.episode.play(c.lang); strings.Join(p.Facts, "|") != c.facts || p.Known != c.known {
			t.Errorf("%s: got %+v", name, p)
		}
	}
}

// TestProduct_titled_namesTheCreatorOnce checks titles of works, and the authors of pages that don't name one.
func TestProduct_titled_namesTheCreatorOnce(t *testing.T) {
	for _, tc := range []struct{ title, author, creator, want, by string }{
		{"Blue Elephants, by The Harbour Lights", "", "The Harbour Lights", "Blue Elephants", "The Harbour Lights"},
		{"Blue Elephants - The Harbour Lights", "Ada", "The Harbour Lights", "Blue Elephants", "Ada"},
		{"Mira Arden – Hollow Choir", "Mira Arden", "Mira Arden", "Hollow Choir", "Mira Arden"},
		{"Mira Arden: “I wrote it on the bus”", "Ada", "Mira Arden", "Mira Arden: “I wrote it on the bus”", "Ada"},
		{"Die stille Stunde von Mira Arden", "", "Mira Arden", "Die stille Stunde", "Mira Arden"},
		{"The Letters of Mira Arden", "", "Mira Arden", "The Letters of Mira Arden", ""},
		{"The Harbour Lights", "", "The Harbour Lights", "The Harbour Lights", ""}, {"Blue", "", "", "Blue", ""},
		{"The Lake at Night (2026)", "", "", "The Lake at Night", ""}, {"Blade (2049)", "", "", "Blade (2049)", ""},
	} {
		p := Product{Creator: tc.creator, Year: 2026, Upright: true}
		if title, by := p.titled(tc.title, tc.author); title != tc.want || by != tc.by {
			t.Errorf("%q: got %q by %q, want %q by %q", tc.title, title, by, tc.want, tc.by)
		}
	}
	thing := Product{Creator: "Mira Arden", Year: 2026}
	if title, _ := thing.titled("Mug (2026)", ""); title != "Mug (2026)" {
		t.Errorf("a thing that is no work: %q", title)
	}
}

// TestProduct_creatorThatIsTheSite gives its place to the price: the card names the site already.
func TestProduct_creatorThatIsTheSite(t *testing.T) {
	r := Request{Texts: Texts{Title: "Safe Landing", SiteName: "Moss & Meteor"}, Product: Product{
		Creator: "Moss & Meteor", Upright: true, Price: "19.99", Currency: "USD",
	}}
	if _, s, err := r.spec(); err != nil || s.Goods.Headline != "$19.99" || s.Goods.Name {
		t.Errorf("got %q (%v), want the price", s.Goods.Headline, err)
	}
	r.Title, r.Product.Creator = "戸倉伸吾さんに聞く", "戸倉 伸吾"
	if _, s, err := r.spec(); err != nil || s.Goods.Headline != "$19.99" {
		t.Errorf("a creator whom the title names: got %q (%v), want the price", s.Goods.Headline, err)
	}
	r.Title, r.Product.Creator = "Safe Landing", "Moss & Meteor"
	r.Product.Price = ""
	if _, s, err := r.spec(); err != nil || s.Goods.Headline != "Moss & Meteor" {
		t.Errorf("got %q (%v), want the creator", s.Goods.Headline, err)
	}
}
