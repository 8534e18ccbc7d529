package images

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/fetch"
	"masthead/render"
	"masthead/render/palette"
)

// Request asks for a picture.
type Request struct {
	URL       string
	ProjectID string
	Kind      Kind
	Template  string
	Style     Style
	// AI is nil when none is asked for.
	AI      *AI
	Content Content
	// Force draws anew and replaces what is kept; CreateOnly fails when something is kept.
	Force, CreateOnly bool
}

// AI asks for a picture of a model behind the text.
type AI struct {
	Model    string `json:"model"`
	Prompt   string `json:"prompt,omitempty"`
	Override bool   `json:"override,omitempty"`
}

// Content replaces what the page says; empty fields do not.
type Content struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	SiteName    string `json:"siteName,omitempty"`
	Eyebrow     string `json:"eyebrow,omitempty"`
	Author      string `json:"author,omitempty"`
	Date        string `json:"date,omitempty"`
	Favicon     string `json:"favicon,omitempty"`
}

// Defaults of a style. Source: the service's decisions, "Resources".
const (
	defaultTemplate     = "editorial"
	defaultFont         = "inter"
	defaultAspectRatio  = "16:9"
	defaultLogoPosition = "top-left"
	defaultModel        = "standard"
)

// normalise fills in defaults, brings what can be written in several ways to one, and drops what the kind does not use. All
// faults of the input are told at once.
func (r Request) normalise() (Request, error) {
	if r.CreateOnly && r.Force {
		return r, apperr.Invalid("header.If-None-Match", "If-None-Match: * creates only and force replaces: send one of them.")
	}
	if r.Kind == "" {
		r.Kind = OG
	}
	if r.Kind == IconSet {
		return r, apperr.Invalid("/kind", "icon_set is not drawn yet; og and blog_hero are.")
	}
	var faults []apperr.Field
	at := func(pointer string, err error) {
		if err != nil {
			faults = append(faults, apperr.Field{Pointer: pointer, Detail: detailOf(err)})
		}
	}
	var err error
	if r.URL, err = normaliseURL(r.URL); err != nil && errors.Is(err, fetch.ErrRefused) {
		return r, err // the one sentence for every refused target, wherever it was refused
	}
	at("/url", err)
	r.Content, err = r.Content.clean()
	at("/content/date", err)
	if r.Content.Favicon != "" {
		r.Content.Favicon, err = normaliseURL(r.Content.Favicon)
		at("/content/favicon", err)
	}
	r.Style, err = r.Style.normalise(r.Kind)
	at("/style/logo/url", err)
	if _, err := palette.ParseHex(r.Style.Accent); r.Style.Accent != "" && err != nil {
		at("/style/accent", apperr.New(apperr.BadRequest, "The accent must be a colour such as #4F46E5."))
	}
	if r.Template == "" {
		r.Template = defaultTemplate
	}
	if r.AI != nil {
		ai := *r.AI
		if ai.Model == "" {
			ai.Model = defaultModel
		}
		ai.Prompt = cleantext.Clean(ai.Prompt, 500)
		r.AI = &ai
	}
	if len(faults) > 0 {
		return r, &apperr.Error{Code: apperr.BadRequest, Detail: faults[0].Detail, Fields: faults}
	}
	if _, ok := render.Lookup(r.Template, render.Kind(r.Kind)); !ok {
		return r, apperr.New(apperr.NotFound, "There is no such template for this kind; GET /templates lists them.")
	}
	return r, nil
}

func detailOf(err error) string {
	var fault *apperr.Error
	if errors.As(err, &fault) {
		return fault.Detail
	}
	return err.Error()
}

// normaliseURL returns the one spelling of an address. One whose host is a number in disguise keeps it: it is refused where it would
// be fetched, like every other private target, and noted there. Errors are those of [fetch.ParseURL].
func normaliseURL(raw string) (string, error) {
	u, err := fetch.ParseURL(raw)
	if err == nil {
		return u.String(), nil
	}
	if !errors.Is(err, fetch.ErrRefused) {
		return "", err
	}
	u, parseErr := url.Parse(raw)
	if parseErr != nil {
		return "", err
	}
	host, hostErr := idna.Lookup.ToASCII(u.Hostname())
	if hostErr != nil {
		return "", err
	}
	u.Scheme, u.Fragment = strings.ToLower(u.Scheme), ""
	if port := u.Port(); port != "" && port != defaultPorts[u.Scheme] {
		host += ":" + port
	}
	u.Host = host
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String(), nil
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

func (s Style) normalise(kind Kind) (Style, error) {
	s.Accent = strings.ToLower(s.Accent)
	if s.Font == "" {
		s.Font = defaultFont
	}
	switch {
	case kind != BlogHero:
		s.AspectRatio = ""
	case s.AspectRatio == "":
		s.AspectRatio = defaultAspectRatio
	}
	if s.Logo == nil {
		return s, nil
	}
	logo := *s.Logo
	if logo.Position == "" {
		logo.Position = defaultLogoPosition
	}
	s.Logo = &logo
	var err error
	logo.URL, err = normaliseURL(logo.URL)
	return s, err
}

// clean bounds and cleans the texts. Source of the lengths: security requirements, "Text from pages and models".
func (c Content) clean() (Content, error) {
	c.Title = cleantext.Clean(c.Title, cleantext.MaxTitle)
	c.Description = cleantext.Clean(c.Description, cleantext.MaxDescription)
	c.SiteName = cleantext.Clean(c.SiteName, cleantext.MaxSite)
	c.Eyebrow = cleantext.Clean(c.Eyebrow, cleantext.MaxOther)
	c.Author = cleantext.Clean(c.Author, cleantext.MaxOther)
	c.Date = strings.TrimSpace(c.Date)
	if c.Date == "" {
		return c, nil
	}
	if _, ok := parseDate(c.Date); !ok {
		return c, apperr.New(apperr.BadRequest, "The date must be a day such as 2026-03-12 or a moment such as 2026-03-12T09:30:00Z.")
	}
	return c, nil
}

func parseDate(text string) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
