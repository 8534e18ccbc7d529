package template

import (
	"testing"

	"masthead/render/template/kit"
	"masthead/render/template/motif"
)

// TestFrame_longTitleHasAWiderColumn checks that the windows make room for long titles, and only for those.
func TestFrame_longTitleHasAWiderColumn(t *testing.T) {
	t.Parallel()
	const (
		usual, wide = frameColumn, frameColumn + frameAside
		minister    = "وزير الخارجية السعودي فيصل بن فرحان يبحث مع نظيره الإيراني عباس عراقجي مستجدات الأوضاع في المنطقة"
		liability   = "Konstytucyjnoprawne aspekty odpowiedzialności odszkodowawczej Skarbu Państwa za bezprawie " +
			"legislacyjne"
	)
	for _, tc := range []struct {
		lang, title string
		most        float64 // width of the title
	}{
		{"en", "Pricing", usual}, {"en", "Why we write", usual}, {"en", "Ship it on Fridays", usual},
		{"en", "Supreme Court Rules 6–3 That States May Tax Out-of-State Remote Workers", wide},
		{"pl", liability, wide},
		{"ar", minister, wide},
		{"th", "ติดตั้ง PostgreSQL 18 บน Ubuntu 24.04 แบบทีละขั้นตอน พร้อมตั้งค่าสำรองข้อมูลอัตโนมัติ", wide},
		{"hi", "बनारस की गलियों में मिला 400 साल पुराना कुआं, सफ़ाई के बाद फिर निकला पानी", wide},
		{"ja", "第107回全国高校野球選手権、沖縄尚学が初優勝 決勝で日大三を3―1で破る", wide},
	} {
		card := openCard(t, "frame", kit.Spec{Lang: tc.lang, RTL: tc.lang == "ar", Texts: kit.Texts{
			Title: tc.title, SiteName: "Northlane", Host: "northlane.dev",
		}})
		card.Layout()
		for _, p := range card.PlacedTexts() {
			if p.Role != kit.Title {
				continue
			}
			width := p.Bounds().X1 - p.Bounds().X0
			if p.Truncated || width > tc.most+4 || tc.most == wide && width < usual-60 {
				t.Errorf("%q is %.0f px wide, %q", tc.title, width, p.Text())
			}
		}
	}
}

// TestFrame_addressIsWhole checks that the bar of the window has room for usual hosts, wherever the window is.
func TestFrame_addressIsWhole(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		host  string
		aside int
	}{
		{"northlane.dev", 0}, {"karriere.nordstern.example", 0}, {"healthcare-techo.example.jp", 0},
		{"northlane.dev", frameAside}, {"karriere.nordstern.example", frameAside},
	} {
		card := openCard(t, "frame", kit.Spec{Texts: kit.Texts{Title: "Queues", SiteName: "Northlane", Host: tc.host}})
		w := motif.NewWindow(card, tc.aside)
		said := false
		for _, p := range w.PlacedTexts() {
			said = said || p.Text() == tc.host
		}
		if !said {
			t.Errorf("%d px aside, the bar doesn't say %s", tc.aside, tc.host)
		}
		w.Close()
	}
}
