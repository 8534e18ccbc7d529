package template

import (
	"strings"
	"testing"

	"masthead/render/template/kit"
)

// TestHero_phrasesAreWholeInItsRoom checks that titles of heroes whose phrases the usual column would part have them
// whole in a wider one. Each variant of a figure leaves that room.
func TestHero_phrasesAreWholeInItsRoom(t *testing.T) {
	const (
		concert = "Kendrick Lamar & SZA at Wembley Stadium: Sat., July 18, 2026"
		goal    = "Real Sociedad 3-2 Athletic: un gol de Oyarzabal en el 90+6 decide el derbi en Anoeta"
		docker  = "Cómo instalar Docker en Ubuntu 24.04 LTS paso a paso"
		kalina  = "Борщ с пампушками: рецепт от шеф-повара ресторана «Корчма» на 6 порций"
		rent    = "¿Se puede deducir el alquiler en la renta 2026? " +
			"Qué dice Hacienda y cuánto ahorrarías" //nolint:misspell // Spanish
		inserm  = "L’intelligence artificielle va-t-elle remplacer les médecins ? Pas si vite, répond l’Inserm"
		roulade = "Omas Rindsrouladen mit Rotkohl und Klößen"
		hero    = "“เราไม่ได้อยากเป็นฮีโร่” คุยกับ นพ.สุภัทร ฮาสุวรรณกิจ แพทย์ชนบทแห่งชายแดนใต้"
	)
	for _, c := range []struct{ slug, lang, title, whole string }{
		{"ribbon", "en", concert, "at Wembley Stadium:"}, {"ribbon", "es", docker, "Ubuntu 24.04 LTS"},
		{"ribbon", "th", hero, "สุภัทร ฮาสุวรรณกิจ"}, {"ribbon", "de", "Grundsteuerbescheid", "Grundsteuerbescheid"},
		{"halftone", "es", goal, "gol de Oyarzabal"}, {"halftone", "ru", kalina, "ресторана «Корчма»"},
		{"halftone", "es", docker, "en Ubuntu 24.04 LTS"}, {"papercut", "es", rent, "en la renta 2026?"},
		{"papercut", "de", roulade, "Omas Rindsrouladen"}, {"mesh", "fr", inserm, "Pas si vite"},
	} {
		for seed := range uint64(8) {
			s := kit.Spec{Texts: kit.Texts{Title: c.title, SiteName: "Northlane", Host: "northlane.dev"}, Seed: seed}
			s.Lang = c.lang
			card := openKind(t, c.slug, kit.BlogHero, s)
			card.Layout()
			for _, p := range card.PlacedTexts() {
				if p.Role != kit.Title {
					continue
				}
				var lines []string
				for _, l := range p.Lines {
					lines = append(lines, l.Text)
				}
				if all := strings.Join(lines, " / "); !strings.Contains(all, c.whole) {
					t.Errorf("%s of seed %d parts %q: %s", c.slug, seed, c.whole, all)
				}
			}
		}
	}
}

// TestRibbonHero_shortTitlesUseTheirRoom: a title of two lines is as large as the silk lets these lines be.
func TestRibbonHero_shortTitlesUseTheirRoom(t *testing.T) {
	for _, c := range []struct {
		lang, title string
		least       float64 // of the size
	}{{"ko", "[칼럼] 저출생 대책, 현금보다 시간이다", 110}, {"es", "5 errores que cometes al cuidar tu monstera (y cómo salvarla)", 96}} {
		s := kit.Spec{Texts: kit.Texts{Title: c.title, SiteName: "Northlane", Host: "northlane.dev"}}
		s.Lang = c.lang
		card := openKind(t, "ribbon", kit.BlogHero, s)
		card.Layout()
		for _, p := range card.PlacedTexts() {
			if p.Role == kit.Title && p.SizePx < c.least {
				t.Errorf("%s: %.0f px, want %.0f or more", c.title, p.SizePx, c.least)
			}
		}
	}
}

// TestCoverHero_longTitlesAreWhole checks that titles of about 90 characters fit, dark and on a label.
func TestCoverHero_longTitlesAreWhole(t *testing.T) {
	m := &coverHero
	for _, c := range []struct{ lang, title string }{
		{"pl", "Konstytucyjnoprawne aspekty odpowiedzialności odszkodowawczej Skarbu Państwa za bezprawie legislacyjne"},
		{"ru", "Выставка «Передвижники. Возвращение» в Новой Третьяковке: 214 работ, билеты от 500 руб., до 14 марта"},
	} {
		s := kit.Spec{Texts: kit.Texts{Title: c.title}}
		s.Lang = c.lang
		card := openKind(t, "cover", kit.BlogHero, s)
		style := card.TitleStyle()
		style.LineHeight = 1.04
		for _, dark := range []bool{true, false} {
			w, ladder := m.width, m.ladder
			if !dark {
				w, ladder = m.maxW-m.margin-m.pad, m.small
			}
			b := card.TitleOf(kit.Surface{}, kit.Column{X: m.margin, Y: m.top, W: w, H: m.baseline - m.top},
				kit.Heading{Style: style, Ladder: ladder, Firm: dark})
			if b.Truncated || dark && len(b.Lines) > 3 {
				t.Errorf("dark %v: %q of %d lines at %v", dark, b.Text(), len(b.Lines), b.SizePx)
			}
		}
	}
}

// TestHero_titleIsNoSmallerThanInTheShare compares sizes in cards of the same width: a hero has as many lines.
func TestHero_titleIsNoSmallerThanInTheShare(t *testing.T) {
	const least = .9 // of the size in a share image of mesh
	sizeOf := func(slug string, kind kit.Kind, title, lang string) float64 {
		c := openKind(t, slug, kind, kit.Spec{Lang: lang, Texts: kit.Texts{Title: title, SiteName: "A", Author: "B"}})
		c.Layout()
		for _, p := range c.PlacedTexts() {
			if p.Role == kit.Title {
				return p.SizePx / float64(c.W)
			}
		}
		return 0
	}
	for _, tc := range []struct{ slug, title, lang string }{
		{"mesh", "St. Patrick’s Day Parade 2027: Route, Street Closures and Where to Park", "en"},
		{"mesh", "Kommentar: Die Schuldenbremse ist nicht das Problem, sondern der fehlende Mut zur Reform", "de"},
		{"mesh", "डॉ. मनमोहन सिंह और उनका समय: एक अर्थशास्त्री प्रधानमंत्री की विरासत", "hi"},
		{"papercut", "डॉ. मनमोहन सिंह और उनका समय: एक अर्थशास्त्री प्रधानमंत्री की विरासत", "hi"},
	} {
		share := sizeOf("mesh", kit.OG, tc.title, tc.lang)
		if hero := sizeOf(tc.slug, kit.BlogHero, tc.title, tc.lang); hero < least*share {
			t.Errorf("%s, %q: %.4f of the width in a hero, %.4f in a share image", tc.slug, tc.title, hero, share)
		}
	}
}
