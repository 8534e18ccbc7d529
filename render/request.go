package render

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"
	"time"

	"masthead/fonts"
	"masthead/render/encode"
	"masthead/render/palette"
	"masthead/render/template"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// Kind is what a picture is for. It decides the size.
type Kind = kit.Kind

// The kinds of picture that templates draw.
const (
	OG       = kit.OG       // share image, 1200×630
	BlogHero = kit.BlogHero // picture at the head of an article, 1600×900 or 1600×1000
	Custom   = kit.Custom   // picture of a size that is requested, one of those that the design offers
)

// Format is the form that a picture is encoded in.
type Format string

// The formats.
const (
	AutoFormat Format = "" // a PNG where that is small, else a JPEG: what platforms load
	PNG        Format = "png"
	JPEG       Format = "jpeg"
)

// Errors of a request, wrapped with what is wrong. Test with errors.Is.
var (
	// ErrNoTemplate says that no template of this slug draws this kind.
	ErrNoTemplate = errors.New("there is no such template for this kind")
	// ErrStyle says that the font, the aspect ratio, the logo's position or the format is none that is offered.
	ErrStyle = errors.New("style is not offered")
	// ErrSize says that the design doesn't offer the size of the kind Custom; see [SizeError].
	ErrSize = errors.New("size is not offered")
	// ErrUnreadable says that no card on which all text can be read can be made over the background: the caller draws
	// the request without it.
	ErrUnreadable = errors.New("text cannot be read over this background")
)

// StyleError is an [ErrStyle] that says what is not offered.
type StyleError struct {
	Part    string // "font", "aspectRatio", "logo.position" or "format"
	Given   string
	Offered []string
}

// Error names the part and the start of what was given.
func (e *StyleError) Error() string { return fmt.Sprintf("%s %.32q: %v", e.Part, e.Given, ErrStyle) }

// Unwrap returns [ErrStyle].
func (e *StyleError) Unwrap() error { return ErrStyle }

// SizeError is an [ErrSize] that says which sizes the design offers, in pixels.
type SizeError struct {
	Template string
	Offered  []image.Point
}

// Error names the design.
func (e *SizeError) Error() string { return fmt.Sprintf("template %.64q: %v", e.Template, ErrSize) }

// Unwrap returns [ErrSize].
func (e *SizeError) Unwrap() error { return ErrSize }

// Check returns the error that [Draw] would return for what a request names and the renderer does not offer: the
// template, for its kind, or a part of the style.
func (r *Request) Check() error {
	_, _, err := r.look()
	return err
}

// What a request gets that leaves the field empty. Everybody who states a default (the service, its command line)
// states these.
const (
	DefaultTemplate     = "editorial"
	DefaultFont         = fonts.Default
	DefaultAspectRatio  = "16:9"
	tallAspectRatio     = "16:10"
	DefaultLogoPosition = "top-left"
)

// DefaultAccent is the accent of a card without a site: see [Request.Domain].
var DefaultAccent = palette.DefaultAccent

// Texts are what a page says; see [Request].
type Texts = kit.Texts

// Code is the beginning of a block of code; see [Texts].
type Code = kit.Code

// Project is what a page says about a repository; see [Texts].
type Project = kit.Project

// Pictures are those that a card shows; see [Request].
type Pictures = kit.Pictures

// Request says what to draw. Texts are what a page says, not what its markup writes: they were decoded and cleaned
// where they came in, nothing is decoded here. A text that is missing is left empty; every template closes the gap. The
// zero value draws an empty editorial card.
type Request struct {
	Template string // slug; "" is DefaultTemplate
	// Choice takes the place of Template: the slugs of designs, the best first. The first that the page has the facts for
	// is drawn, otherwise the last.
	Choice      []string
	Kind        Kind        // "" is OG
	Size        image.Point // of the kind Custom, in pixels
	AspectRatio string      // of a hero: "16:9" or "16:10"; "" is DefaultAspectRatio
	// Seed is the address of the page. What a template draws by chance comes from it, so that a page always gets the
	// same picture.
	Seed string

	Texts
	// Domain is the registrable domain of the page's host, in lower case, by which a site is known to its default accent;
	// "" is the host, or else the name of the site.
	Domain         string
	Published      time.Time // its day is shown as it is in its own zone; zero: unknown
	ReadingMinutes int       // 0: unknown
	Event          Event     // that the page is about
	Product        Product   // the same
	Episode        Episode   // the same
	Lang           string    // BCP 47; decides dates, quotes, hyphenation and the forms of letters
	Dir            string    // "rtl" where the page says so; a title that begins right-to-left counts too

	Accent color.NRGBA // zero: that of the site, see [palette.OfHost]
	Dark   bool
	// Font is the slug of a family, one of those that Fonts returns; "" is DefaultFont.
	Font string
	// Fonts are used for the texts if Font is empty; nil for none.
	Fonts *text.Fonts

	Pictures
	// Background is the picture or photograph that the card is drawn over, decoded, of any size; nil: the template's
	// own background. It is cropped, takes on the tone of the accent, and is darkened, lightened or softened where text
	// stands. It is read while drawing, never changed.
	Background image.Image
	// Generated means that a model made the Background: the file says so (see [encode.Mark]).
	Generated bool
	// LogoPosition is the corner of the logo: "top-left", "top-right", "bottom-left" or "bottom-right"; "" is
	// DefaultLogoPosition.
	LogoPosition string

	// Format is the form of the result of [Draw].
	Format Format
}

// Event is when and where an event takes place; without a Start there is none. Times are shown as they are in their own
// zone.
type Event struct {
	Start, End time.Time // End may be zero
	AllDay     bool      // only the days are known
	Place      string    // or ""
	Online     bool
	Status     string // "cancelled", "postponed" or ""
	// Price is the lowest price of a ticket, as a decimal number with a point, and HighPrice the highest one of a range,
	// or "". Currency is an ISO 4217 code.
	Price, HighPrice, Currency string
}

// Card is an encoded card.
type Card struct {
	encode.File
	Width, Height int
	// Template is the slug of the design that was drawn: another one than was asked for where the page lacks the fact that
	// that lives on.
	Template string
	// Title and SiteName are what the card calls the page and its site: without the site's name at the end of the
	// title, in the typography of the language, and with what stands in for one that is missing or that no face can
	// set. A title that has no room is whole here.
	Title, SiteName string
	// Marked reports that the file says that a model made the background.
	Marked bool
	// Warnings says what the card does without; nil for one that is whole.
	Warnings []Warning
	// Texts are the texts on the card with their boxes, in drawing order.
	Texts []PlacedText
}

// PlacedText is a text on a card: what it is, and the box of its ink in pixels.
type PlacedText struct {
	Of  TextRole
	Box image.Rectangle
}

// TextRole is what a text is on a card.
type TextRole uint8

// The roles. OtherText appears only once on the card, as the title does; SiteText is the site's name or host, and
// LetterText the letter in place of an icon.
const (
	TitleText TextRole = iota
	OtherText
	SiteText
	LetterText
)

// Warning is something that a card does without: a code and a sentence.
type Warning = kit.Warning

// LogoMissing is the code of the warning for a logo that was asked for, and that the caller could not get: the renderer
// does not know of it.
const LogoMissing = kit.LogoMissing

// DesignNeeds is the code of the warning for a page without the fact that the design lives on.
const DesignNeeds = kit.DesignNeeds

// spec checks a request and turns it into what a template draws from.
func (r *Request) spec() (*kit.Template, kit.Spec, error) {
	t, s, err := r.look()
	if err != nil {
		return nil, s, err
	}
	lang := bounded(r.Lang, maxLang)
	s.Texts, s.Date, s.ReadingTime = displayTexts(r.Texts, lang), r.date(lang), r.readingTime(lang)
	s.Pictures, s.Background = r.Pictures, r.Background
	s.Seed, s.Lang, s.RTL, s.Lossless = kit.SeedOf(r.Seed), lang, r.Dir == "rtl", r.Format == PNG
	s.Day, s.Month = r.dayAndMonth(lang)
	product := r.Product
	s.Title, s.Author = product.titled(s.Title, s.Author)
	if product.Price != "" && (text.Same(product.Creator, s.SiteName) || text.Says(s.Title, product.Creator)) { // named
		product.Creator = ""
	}
	s.Leaf, s.Goods, s.Play = r.Event.leaf(lang), product.goods(lang), r.Episode.play(lang)
	for _, comma := range [...]string{", ", "، "} {
		if town, ok := strings.CutPrefix(s.Leaf.Place, s.SiteName+comma); ok && s.SiteName != "" {
			s.Leaf.Place = town
		}
	}
	s.Date = cmp.Or(s.Date, r.Event.dates(lang, &s.Leaf))
	s.Site = cmp.Or(r.Domain, strings.ToLower(r.Host), r.SiteName)
	s.Theme = palette.New(cmp.Or(r.Accent, palette.OfHost(s.Site)), r.Dark)
	return t, s, nil
}

// look checks what a request names, and returns the part of the [kit.Spec] that comes of it.
func (r *Request) look() (*kit.Template, kit.Spec, error) {
	s := kit.Spec{Kind: cmp.Or(r.Kind, OG)}
	if s.Kind == Custom {
		s.Sides = r.Size
	}
	t, err := find(cmp.Or(r.Template, DefaultTemplate), &s)
	if err != nil {
		return nil, s, err
	}
	switch cmp.Or(r.AspectRatio, DefaultAspectRatio) {
	case DefaultAspectRatio:
	case tallAspectRatio:
		s.Tall = s.Kind == BlogHero
	default:
		return nil, s, &StyleError{"aspectRatio", r.AspectRatio, []string{DefaultAspectRatio, tallAspectRatio}}
	}
	if s.Family = text.Family(cmp.Or(r.Font, DefaultFont)); !s.Family.Valid() {
		return nil, s, &StyleError{"font", r.Font, Fonts()}
	}
	if r.Font == "" && r.Fonts != nil {
		s.Family = text.Brand
	}
	if r.Format != AutoFormat && r.Format != PNG && r.Format != JPEG {
		return nil, s, &StyleError{"format", string(r.Format), []string{string(PNG), string(JPEG)}}
	}
	corner, ok := kit.ParseCorner(cmp.Or(r.LogoPosition, DefaultLogoPosition))
	if s.Corner = corner; !ok {
		return nil, s, &StyleError{"logo.position", r.LogoPosition, kit.Positions()}
	}
	return t, s, nil
}

// designs returns those of the request's Choice, or else t, which is its Template.
func (r *Request) designs(t *kit.Template, s *kit.Spec) (all []*kit.Template, err error) {
	for _, slug := range r.Choice {
		if t, err = find(slug, s); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	if len(all) == 0 {
		all = append(all, t)
	}
	return all, nil
}

// find returns the design of a slug, which draws the kind and size of a card.
func find(slug string, s *kit.Spec) (*kit.Template, error) {
	t, ok := template.Find(slug, s.Kind)
	if !ok {
		return nil, fmt.Errorf("template %.64q, kind %.16q: %w", slug, s.Kind, ErrNoTemplate)
	}
	if t.Draws(s.Kind, s.Sides) == nil {
		return nil, &SizeError{slug, t.Sizes}
	}
	return t, nil
}
