package template

import (
	"image/color"
	"strings"
	"testing"

	"masthead/render/palette"
	"masthead/render/template/kit"
)

// TestTitle_longOneKeepsItsPhrases checks that long titles have sizes at which what belongs together is on one line,
// and that those aren't smaller than they need to be.
func TestTitle_longOneKeepsItsPhrases(t *testing.T) {
	t.Parallel()
	const (
		vacuum = "Робот-пылесос Xiaomi X20 Max: 8000 Па, станция 3-в-1 и цена 39 990 ₽ — стоит ли брать в 2026-м"
		solar  = "Фотоэлектропреобразователи на основе перовскита: КПД 33,9 % и что мешает массовому производству"
		hotel  = "Hotel Rural Casa de los Arcos – Habitación doble desde 68 €/noche en la Sierra de Aracena"
		fraud  = "전세 사기 피하려면 꼭 확인하세요! 등기부등본·확정일자·보증보험 체크리스트 12가지"
		parade = "St. Patrick’s Day Parade 2027: Route, Street Closures and Where to Park"
		care   = "„Wir haben zu lange weggesehen“: Was die Ministerin über die Missstände in Pflegeheimen sagt"
		court  = "Верховный суд: работодатель не вправе уволить сотрудника за отказ от сверхурочной работы в выходной день"
		job    = "Senior Data Engineer – $165,000–$190,000 – Remote (U.S. Only)"
		taxes  = "Налогообложение самозанятых-нерезидентов и иностранных фрилансеров: разъяснения ФНС от 19.11.2026"
	)
	for _, tc := range []struct {
		slug, lang, title, whole string
		px                       float64 // at least
	}{
		{"launch", "ru", vacuum, "Xiaomi X20 Max:", 54}, {"launch", "es", hotel, "Casa de los Arcos", 54},
		{"mesh", "ru", solar, "Фотоэлектропреобразователи", 46}, {"cover", "en", parade, "Street Closures", 50},
		{"cover", "ru", vacuum, "Xiaomi X20 Max:", 46}, {"minimal", "de", care, "lange weggesehen", 56},
		{"horizon", "ru", solar, "33,9 %", 56}, {"docs", "ru", court, "Верховный суд:", 55},
		{"docs", "ru", taxes, "самозанятых-нерезидентов", 48},
		{"code", "ko", fraud, "등기부등본·확정일자·보증보험", 60}, {"terminal", "en", job, "$165,000–$190,000", 56},
	} {
		s := kit.Spec{Lang: tc.lang, Texts: kit.Texts{Title: tc.title, SiteName: "Northlane"}}
		s.Crumb = []string{"Guides", "Operations", "Quotas"}
		s.Session, s.Code = []string{"$ queue work"}, kit.Code{First: 1, Lines: []string{"if a {", "	b()", "}"}}
		s.Description = "Im Interview spricht Karin Albrecht über fehlendes Personal und ein Gesetz, das kommen soll."
		if tc.slug == "cover" {
			s.Theme = palette.New(palette.RGB(0x4F46E5), false)
			s.Background = plainLogo(1200, 630, color.NRGBA{R: 80, G: 110, B: 140, A: 255})
		}
		card, whole := openCard(t, tc.slug, s), false
		card.Layout()
		for _, p := range card.PlacedTexts() {
			if p.Role != kit.Title {
				continue
			}
			for _, line := range p.Lines {
				whole = whole || strings.Contains(line.Text, tc.whole)
			}
			if p.SizePx < tc.px || p.Truncated {
				t.Errorf("%s, %s: the title has %v px: %q", tc.slug, tc.lang, p.SizePx, p.Text())
			}
		}
		if !whole {
			t.Errorf("%s, %s: %q isn't on one line", tc.slug, tc.lang, tc.whole)
		}
	}
}
