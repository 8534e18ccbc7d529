package template

import (
	"image"
	"strings"
	"testing"

	"masthead/render/template/kit"
	"masthead/render/template/wording"
)

// TestShowsCover_onlyPicturesLikeOne: a share image of a book is a photograph, not its cover.
func TestShowsCover_onlyPicturesLikeOne(t *testing.T) {
	for _, tc := range []struct {
		goods kit.Goods
		w, h  int
		want  bool
	}{
		{kit.Goods{Upright: true}, 400, 600, true}, {kit.Goods{Square: true}, 500, 500, true},
		{kit.Goods{Upright: true}, 1200, 630, false}, {kit.Goods{Square: true}, 1200, 630, false}, {kit.Goods{}, 400, 600, false},
	} {
		c := openCard(t, "product", kit.Spec{Goods: tc.goods})
		c.Background = image.NewNRGBA(image.Rect(0, 0, tc.w, tc.h))
		if got := showsCover(c); got != tc.want {
			t.Errorf("%+v, %d×%d: %v, want %v", tc.goods, tc.w, tc.h, got, tc.want)
		}
	}
}

// TestProductTitle_losesWhatShopsAdd shortens long titles by sizes, colors and shops, and no sentence by its clause.
func TestProductTitle_losesWhatShopsAdd(t *testing.T) {
	for _, c := range []struct{ lang, kept, lost string }{
		{"en", "Tall stoneware mug, ink glaze", ""},
		{"en", "Merino crew neck sweater for cold mornings, navy blue", ", size M - Kiln & Co."},
		{"en", "Merino crew neck sweater for the coldest of mornings", ", navy blue, size M"},
		{"en", "The little tool library on the corner, which lends what nobody needs twice", ""},
		{"de", "Die Bibliothek, die Werkzeuge an die ganze Nachbarschaft verleiht", " (2026)"},
		{"fr", "La petite bibliothèque du coin, où l’on emprunte des outils au lieu de livres", ""},
		{"en", "Mr. & Mrs. Smith Go to Washington, D.C.: A 3-Day Itinerary for First-Time Visitors", ""},
		{"en", "Letters that Mr. and Mrs. Smith never sent home from Washington, D.C.", ""},
		{"en", "Kubernetes networking explained: pods, services, ingress and everything between them", ""},
		{"en", "Windows 11 update breaks VPN connections: Microsoft confirms issue, offers workaround", ""},
		{"pt", "73% dos brasileiros preferem trabalhar de casa, mesmo ganhando menos", ""},
		{
			"ru", "«Я не герой, я просто остался»",
			" — интервью с врачом М. Ю. Лебедевым, 30 лет " +
				"проработавшим в Норильске",
		},
		{"en", "Stoneware mug with a dark glaze for coffee and tea on cold mornings", ", set of 4, dishwasher safe"},
		{"en", "Trail running shoes for women in wet weather", " (waterproof, breathable, size 38)"},
		{"es", "Zapatillas de running Veloz Pro 3 para hombre y mujer", ", amortiguación de 38 mm, 215 g"},
		{"de", "Espressomaschine „Bella, die Schöne“ – Siebträger", ", Edelstahl gebürstet"},
		{
			"zh", "一本关于北方城市里那些慢慢消失的老书店的书，" +
				"以及在其中度过了一生的人们所讲述的故事与记忆，" +
				"还有他们留下来的那些信件、照片", "",
		},
		{"de", "Hoher Becher aus Steinzeug mit dunkler Glasur", ", spülmaschinenfest, 350 ml"},
		{"en", "Phone X5 Pro with 256 GB of memory, black", " (NFC, 5G, a screen of 6.7″, 5000 mAh)"},
		{"es", "¿Por qué cuesta tanto reformar un baño de 5 m² en 2026? Precios, plazos y 7 errores que evitar", ""},
	} {
		titles := wording.Product(c.kept+c.lost, c.lang)
		got := strings.TrimSuffix(titles[len(titles)-1], "…")
		if whole := titles[0] == c.kept+c.lost || strings.Contains(c.lost, " | "); !whole || got != c.kept {
			t.Errorf("%s: got %q, want %q at the end", c.lang, titles, c.kept)
		}
	}
}

// TestProduct_oldPriceKeepsClear leaves the old price out where it would be close to the price, or make that small.
func TestProduct_oldPriceKeepsClear(t *testing.T) {
	for _, c := range []struct {
		price, old string
		shown      bool
	}{
		{"€24.90", "€32", true}, {"$1,299", "$1,499", true}, {"3.500,00 ARS", "4.200,00 ARS", false},
		{"12.450,00 MXN", "14.900 MXN", false},
	} {
		card := openCard(t, "product", kit.Spec{
			Texts: kit.Texts{Title: "Tall mug"}, Goods: kit.Goods{Headline: c.price, Old: c.old},
		})
		card.Layout()
		var price, old kit.Text
		for _, p := range card.PlacedTexts() {
			switch p.Text() {
			case c.price:
				price = p
			case c.old:
				old = p
			}
		}
		if old.Empty() == c.shown {
			t.Errorf("%s of %s: the old price is shown: %v", c.price, c.old, !old.Empty())
		}
		if price.Empty() || old.Empty() {
			continue
		}
		if gap := price.Bounds().X0 - old.Bounds().X1; gap < 32 {
			t.Errorf("%s of %s: the prices are %.0f px apart", c.price, c.old, gap)
		}
	}
}

// TestProduct_titlesAreWholeWhereTheyFit: what a title ends with may make it another thing. What has no room is marked.
func TestProduct_titlesAreWholeWhereTheyFit(t *testing.T) {
	for _, c := range []struct{ title, end, lang string }{
		{"Senior Data Engineer – $165,000–$190,000 – Remote (U.S. Only)", "(U.S. Only)", "en"},
		{"Soundfield W6 Wireless Noise-Cancelling Headphones, Midnight Blue", "Midnight Blue", "en"},
		{
			"وزير الخارجية السعودي فيصل بن فرحان يبحث مع نظيره " +
				"الإيراني عباس عراقجي مستجدات الأوضاع في المنطقة", "في المنطقة", "ar",
		},
		{
			"Soundfield W6 Wireless Noise-Cancelling Headphones with Case, Charger, Two Cables and an Adapter for Seats of " +
				"Airplanes, Midnight Blue (Refurbished, Model of 2026)", "…", "en",
		},
	} {
		card := openCard(t, "product", kit.Spec{
			Lang: c.lang, RTL: c.lang == "ar", Texts: kit.Texts{Title: c.title, SiteName: "Northlane"},
			Goods: kit.Goods{Headline: "€24.90", Old: "€32", Rating: 4.5},
		})
		card.Layout()
		for _, p := range card.PlacedTexts() {
			if got := strings.ReplaceAll(p.Text(), "\n", " "); p.Role == kit.Title && !strings.HasSuffix(got, c.end) {
				t.Errorf("%q: the title is %q", c.title, got)
			}
		}
	}
}
