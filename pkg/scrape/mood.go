package scrape

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"masthead/render/palette"
)

// Mood describes how a site looks and sounds, in one word.
type Mood string

// The moods.
const (
	Minimal   Mood = "minimal"
	Bold      Mood = "bold"
	Playful   Mood = "playful"
	Elegant   Mood = "elegant"
	Corporate Mood = "corporate"
	Technical Mood = "technical"
	Warm      Mood = "warm"
	Dark      Mood = "dark"
	Vibrant   Mood = "vibrant"
	Editorial Mood = "editorial"
)

// Thresholds of the moods; chroma and lightness in OKLCH, hues in degrees.
const (
	minimalChroma   = .03
	darkLightness   = .25
	vibrantChroma   = .18
	playfulHues     = 3
	warmFrom        = 20
	warmTo          = 80
	warmChroma      = .06
	corporateFrom   = 220
	corporateTo     = 260
	corporateLeast  = .05
	corporateMost   = .15
	goldFrom        = warmTo
	goldTo          = 100
	blackLightness  = .15
	whiteLightness  = .9
	colorlessChroma = .02
)

// moodOf returns the first mood that the site shows a sign of, and that sign.
func moodOf(site *Result, s Signals) (Mood, string) {
	signs := signsOf(site, s)
	for _, m := range []Mood{Dark, Playful, Vibrant, Warm, Technical, Editorial, Elegant, Corporate, Minimal} {
		if sign := signs[m]; sign != "" {
			return m, sign
		}
	}
	return Bold, "no other mood"
}

// look summarizes the palette of a site.
type look struct {
	primary   palette.LCH // has chroma 0 if there is none
	chroma    float64     // the mean
	hues      int
	dark      bool // the background is dark
	colorless bool // black and white only
}

func lookOf(swatches []Swatch) look {
	l := look{colorless: true}
	var hues []float64
	for _, swatch := range swatches {
		c := palette.ToLCH(swatch.Color)
		l.chroma += c.C * swatch.Share
		if c.C > brandChroma && !slices.ContainsFunc(hues, func(h float64) bool { return turn(h, c.H) < accentTurn }) {
			hues = append(hues, c.H)
		}
		l.colorless = l.colorless && c.C < colorlessChroma && (c.L < blackLightness || c.L > whiteLightness)
		switch swatch.Role {
		case Primary:
			l.primary = c
		case Ground:
			l.dark = c.L < darkLightness
		}
	}
	l.hues = len(hues)
	return l
}

// signsOf returns the moods that the site shows signs of, with the sign of each.
func signsOf(site *Result, s Signals) map[Mood]string {
	l, font, article := lookOf(s.Palette), "", false
	if site.Page.Got() {
		font = strings.ToLower(cmp.Or(site.inlineStyle().FontFamily, site.Stylesheet.Value.FontFamily))
		article = strings.EqualFold(site.Page.Value.Meta.Get("og:type"), "article")
	}
	primary := l.primary
	within := func(from, to float64) bool { return primary.H >= from && primary.H <= to }
	serif, mono := isSerif(font), strings.Contains(font, "mono")
	signs := map[Mood]string{}
	sign := func(m Mood, shown bool, what string) {
		if shown && signs[m] == "" {
			signs[m] = what
		}
	}
	sign(Dark, l.dark, "dark background")
	sign(Playful, primary.C > vibrantChroma && l.hues > playfulHues, "many strong hues")
	sign(Vibrant, primary.C > vibrantChroma, "strong primary color")
	sign(Warm, primary.C > warmChroma && within(warmFrom, warmTo), "warm primary color")
	sign(Technical, mono, "monospaced font")
	sign(Technical, soundsTechnical(s.Headline+" "+s.Tagline), "technical words")
	sign(Editorial, article, "og:type article")
	sign(Editorial, serif, "serif font")
	sign(Elegant, primary.C > warmChroma && within(goldFrom, goldTo), "gold primary color")
	sign(Elegant, l.colorless && serif, "black and white with a serif")
	sign(Corporate, primary.C >= corporateLeast && primary.C <= corporateMost && within(corporateFrom, corporateTo),
		"calm blue primary color")
	sign(Minimal, l.chroma < minimalChroma, "hardly any color")
	return signs
}

// serifs are serif font families; a font stack usually also ends with its generic family.
var serifs = []string{"georgia", "times", "garamond", "baskerville", "merriweather", "playfair", "lora", "palatino", "caslon"}

func isSerif(font string) bool {
	if slices.ContainsFunc(serifs, func(face string) bool { return strings.Contains(font, face) }) {
		return true
	}
	return strings.Contains(strings.ReplaceAll(font, "sans-serif", ""), "serif")
}

// technicalWords are lowercase words that suggest code.
var technicalWords = []string{
	"api", "apis", "sdk", "cli", "code", "compiler", "database", "developer", "developers", "docker", "framework", "git",
	"github", "golang", "http", "javascript", "json", "kernel", "kubernetes", "library", "linux", "npm", "open-source",
	"python", "rust", "server", "sql", "terminal", "typescript", "webassembly",
}

// codeLike matches a call, a namespaced name, or an arrow of code.
var codeLike = regexp.MustCompile(`\w\(\)|\w::\w|=>`)

// soundsTechnical reports whether a text has technical words or code.
func soundsTechnical(text string) bool {
	if codeLike.MatchString(text) {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(technicalWords, w) })
}
