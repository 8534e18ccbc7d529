package card

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/weburl"
	"masthead/render"
	"masthead/render/palette"
)

// Defaults of a style. Source: openapi.yaml.
const (
	defaultTemplate     = render.DefaultTemplate
	defaultFont         = render.DefaultFont
	defaultAspectRatio  = render.DefaultAspectRatio
	defaultLogoPosition = render.DefaultLogoPosition
	defaultModel        = "standard"
)

// Normalize fills in defaults, unifies spellings, and drops what the kind doesn't use. It reports all invalid fields at
// once.
func (r Request) Normalize() (Request, error) {
	r.Kind = cmp.Or(r.Kind, OG)
	if r.Kind == IconSet {
		r.Template, r.Style, r.AI, r.Content, r.Own.Logo = "", Style{}, nil, Content{Favicon: r.Content.Favicon}, nil
		r.Design, r.Data = nil, nil
	}
	var faults []apperr.Field
	at := func(pointer string, err error) {
		if err != nil {
			faults = append(faults, apperr.Field{Pointer: pointer, Detail: detailOf(err)})
		}
	}
	var err error
	if !r.Own.NoPage {
		r.parsed.page, err = weburl.Parse(r.URL)
		at("/url", err)
		r.URL = r.parsed.page.String()
	}
	r.Content = r.Content.clean()
	if r.Content.Date != "" {
		r.parsed.date, err = parseDate(r.Content.Date)
		at("/content/date", err)
	}
	r.normalizeLook(at)
	r.normalizeSizes(at)
	r.normalizeDesign(at)
	if r.Template == "" && r.Kind != IconSet {
		r.Template = defaultTemplate
	}
	if r.AI != nil {
		ai := *r.AI
		if ai.From != "" && (ai.Model != "" || ai.Prompt != "" || ai.Override) {
			at("/ai/from", apperr.New(apperr.BadRequest,
				"ai.from uses a picture again. Send it without model, prompt and override."))
		}
		if ai.From == "" {
			ai.Model = cmp.Or(ai.Model, defaultModel)
		}
		ai.Prompt = cleantext.Clean(ai.Prompt, maxUserPrompt)
		if ai.Override && ai.Prompt == "" {
			at("/ai/prompt", apperr.New(apperr.BadRequest, "ai.override sends ai.prompt unchanged, so ai.prompt is required."))
		}
		r.AI = &ai
	}
	if len(faults) > 0 {
		return r, apperr.InvalidFields(faults)
	}
	if r.Kind == IconSet {
		return r, nil
	}
	if !r.isAuto() && r.Design == nil {
		if err := r.checkTemplate(); err != nil {
			return r, err
		}
	}
	if size, bad := r.undrawn(defaultTemplate, r.CardSizes()); bad && r.isAuto() && r.Kind != BlogHero {
		return r, r.noSize(defaultTemplate, size)
	}
	return r, r.checkStyle()
}

// checkTemplate explains a template that doesn't exist, or doesn't draw the kind or the size.
func (r Request) checkTemplate() error {
	kind := render.Kind(r.Kind)
	_, ok := render.Lookup(r.Template, kind)
	_, exists := render.Lookup(r.Template, "")
	switch {
	case r.Kind == Custom && !exists:
		return noDesign(r.Template)
	case r.Kind != Custom && !ok:
		return noTemplate(r.Template, kind)
	}
	if size, bad := r.undrawn(r.Template, r.CardSizes()); bad {
		return r.noSize(r.Template, size)
	}
	return nil
}

// checkStyle explains a style that the renderer doesn't offer. The API document rejects it before; callers inside the
// program may send it.
func (r Request) checkStyle() error {
	template := r.Template
	kind, size := r.kindIn(template, r.CardSize())
	if r.isAuto() || r.Design != nil {
		template = ""
	}
	if kind == render.Custom && template == "" {
		kind = render.OG
	}
	look := render.Request{
		Template: template, Kind: kind, Size: size, Font: r.Style.Font, AspectRatio: r.Style.AspectRatio,
		Format: r.Own.Format,
	}
	if r.Style.Logo != nil {
		look.LogoPosition = r.Style.Logo.Position
	}
	err := look.Check()
	var fault *render.StyleError
	if !errors.As(err, &fault) {
		return err
	}
	name := "style." + fault.Part
	explained := apperr.Wrap(apperr.BadRequest,
		fmt.Sprintf("%s must be one of: %s.", name, strings.Join(fault.Offered, ", ")), err)
	explained.Fields = []apperr.Field{{
		Pointer: "/" + strings.ReplaceAll(name, ".", "/"), Detail: explained.Detail,
	}}
	return explained
}

// normalizeLook normalizes the pictures and colors of a request; at collects the errors and their places.
func (r *Request) normalizeLook(at func(pointer string, err error)) {
	var err error
	if r.Content.Favicon != "" {
		r.parsed.favicon, err = weburl.Parse(r.Content.Favicon)
		at("/content/favicon", err)
		r.Content.Favicon = r.parsed.favicon.String()
	}
	if r.Own.Logo != nil && r.Style.Logo == nil {
		r.Style.Logo = &Logo{}
	}
	if r.Kind != IconSet {
		r.Style = r.Style.Normalize(r.Kind)
	}
	if logo := r.Style.Logo; logo != nil && r.Own.Logo == nil {
		r.parsed.logo, err = weburl.Parse(logo.URL)
		at("/style/logo/url", err)
		logo.URL = r.parsed.logo.String()
	}
	if r.Style.Accent != "" {
		if r.parsed.accent, err = palette.ParseHex(r.Style.Accent); err != nil {
			at("/style/accent", apperr.New(apperr.BadRequest,
				"style.accent must be a color of six hexadecimal digits such as #0F766E."))
		}
	}
}

// noDesign says that neither a project has a design with a slug nor we.
func noDesign(slug string) error {
	err := apperr.New(apperr.NotFound, fmt.Sprintf(
		"There is no design %q in this project, and no template with that slug. GET /designs and GET /templates list them.",
		slug))
	err.Fields = []apperr.Field{{Pointer: "/template", Detail: err.Detail}}
	return err
}

// noTemplate lists the templates that draw a kind, because slug isn't one of them.
func noTemplate(slug string, kind render.Kind) error {
	slugs := []string{AutoTemplate}
	for _, t := range render.Templates() {
		if slices.Contains(t.Kinds, kind) {
			slugs = append(slugs, t.Slug)
		}
	}
	err := apperr.New(apperr.NotFound,
		fmt.Sprintf("There is no template %q for %s. Use one of: %s.", slug, kind, strings.Join(slugs, ", ")))
	err.Fields = []apperr.Field{{Pointer: "/template", Detail: err.Detail}}
	return err
}

func detailOf(err error) string {
	var fault *apperr.Error
	if errors.As(err, &fault) {
		return fault.Detail
	}
	return err.Error()
}

// Normalize fills in the defaults of a style and drops what the kind doesn't use. The logo is a copy, which the caller
// may change.
func (s Style) Normalize(kind Kind) Style {
	s.Accent = strings.ToLower(s.Accent)
	s.Font = cmp.Or(s.Font, defaultFont)
	switch {
	case kind != BlogHero:
		s.AspectRatio = ""
	case s.AspectRatio == "":
		s.AspectRatio = defaultAspectRatio
	}
	if s.Logo == nil {
		return s
	}
	logo := *s.Logo
	logo.Position = cmp.Or(logo.Position, defaultLogoPosition)
	s.Logo = &logo
	return s
}

// clean bounds and cleans the texts. Source of the lengths: docs/security.md#text-from-pages-and-models.
func (c Content) clean() Content {
	c.Title = cleantext.Clean(c.Title, cleantext.MaxTitle)
	c.Description = cleantext.Clean(c.Description, cleantext.MaxDescription)
	c.SiteName = cleantext.Clean(c.SiteName, cleantext.MaxSite)
	c.Eyebrow = cleantext.Clean(c.Eyebrow, cleantext.MaxOther)
	c.Author = cleantext.Clean(c.Author, cleantext.MaxOther)
	c.Date = strings.TrimSpace(c.Date)
	c.Quote.Text = cleantext.Clean(c.Quote.Text, cleantext.MaxTitle)
	if c.Quote.Speaker = cleantext.Clean(c.Quote.Speaker, cleantext.MaxOther); c.Quote.Text == "" {
		c.Quote.Speaker = ""
	}
	return c
}

func parseDate(text string) (time.Time, error) {
	t, err := cleantext.Date(text)
	if err != nil {
		return time.Time{}, apperr.New(apperr.BadRequest, "content.date must be "+cleantext.DateForms+".")
	}
	return t, nil
}
