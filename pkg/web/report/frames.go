package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strings"

	"masthead/pkg/audit"
	"masthead/pkg/platform"
)

// others is the section of the platforms.
type others struct {
	Frames []frame
	// Month is when the platforms' properties were last compared with their sources.
	Month string
	// Switch means that there is a card of ours to compare with.
	Switch bool

	shown []platform.Preview
}

// frame is one platform: what it shows of the page as it is, and with our card.
type frame struct {
	ID, Name string
	Views    []stage
	// Tool is the platform's own tool, which shows and refreshes its preview.
	Tool platform.Tool
}

// frameOf returns the frame of a preview, without views.
func frameOf(shown *platform.Preview) frame {
	p, _ := platform.Find(shown.Platform)
	return frame{ID: shown.Platform, Name: shown.Name, Tool: p.Tool}
}

// stage is what a platform shows.
type stage struct {
	platform.Preview
	// Class is "asis" or "ours"; "" if there is no choice.
	Class string
	// Severity and Words are the verdict.
	Severity, Words string
	// Caption says why; Label is all of it in one line for screen readers.
	Caption, Label string
	// Address is what a bare link shows, Host the target of a card.
	Address, Host string
	Image         *crop
	Map           *cropMap
	Icon          string // address of the favicon, or ""
}

// crop is a picture in a frame: its visible part, as the geometry of an SVG.
type crop struct {
	URL           string
	Width, Height int    // of the frame, in pixels
	ViewBox       string // of the part, in pixels of the picture
	W, H          int    // of the picture
}

// cropMap is the whole picture in small size, with the visible part outlined and the rest hatched.
type cropMap struct {
	URL           string // "" without a picture
	Width, Height int
	// Cut are the invisible parts, Keep is the visible one, or nil.
	Cut  []Box
	Keep *Box
}

// Box is a part of a small picture, in its pixels.
type Box struct{ X, Y, Width, Height float64 }

// Sides of the map of a crop, in pixels.
const mapWidth, mapMostHeight = 96, 96

// sizedPicture is a picture that can be shown, with its size.
type sizedPicture struct {
	URL  string
	W, H int
}

func frames(s *Source) others {
	o := others{Month: platform.Checked().Format("January 2006"), shown: platform.ShowAll(s.Report.Shared)}
	pictures := map[string]sizedPicture{}
	icon := ""
	for i := range s.Report.Pictures {
		p := &s.Report.Pictures[i]
		address := s.pictureOf(p)
		if address == "" {
			continue
		}
		if p.Kind == audit.Favicon {
			icon = address
			continue
		}
		pictures[p.URL] = sizedPicture{address, p.Shown.Width, p.Shown.Height}
	}
	var ours []platform.Preview
	if s.Card != nil && s.Report.Status < 400 {
		o.Switch = true
		ours = platform.ShowAll(withCard(s.Report.Shared, s.Card))
		pictures[s.Card.URL] = sizedPicture{s.Card.URL, s.Card.Width, s.Card.Height}
	}
	for i := range o.shown {
		f := frameOf(&o.shown[i])
		first := stageOf(s, &o.shown[i], s.Report.Shared, pictures)
		first.Icon = icon
		f.Views = append(f.Views, first)
		if ours != nil {
			f.Views[0].Class = "asis"
			second := stageOf(s, &ours[i], withCard(s.Report.Shared, s.Card), pictures)
			second.Class, second.Icon = "ours", icon
			f.Views = append(f.Views, second)
		}
		o.Frames = append(o.Frames, f)
	}
	return o
}

// pictureOf returns the address of a picture of the report, or "" if it can't be shown.
func (s *Source) pictureOf(p *audit.PageImage) string {
	if p == nil || p.Shown == nil || s.Picture == nil {
		return ""
	}
	return s.Picture(p.Shown.Name)
}

// withCard returns the page as it would be with our card: its picture, and the large card that shows it.
func withCard(p platform.Page, c *Card) platform.Page {
	p.Card = "summary_large_image"
	tags := []platform.Tag{{Key: "twitter:card", Value: p.Card}}
	title := false
	for _, t := range p.Tags {
		if t.Key == "twitter:card" || strings.HasPrefix(t.Key, "og:image") || strings.HasPrefix(t.Key, "twitter:image") {
			continue
		}
		title = title || t.Key == "og:title"
		tags = append(tags, t)
	}
	if !title {
		for _, t := range p.Tags {
			if t.Key == "title" {
				tags = append(tags, platform.Tag{Key: "og:title", Value: t.Value})
			}
		}
	}
	p.Tags = tags
	p.Pictures = []platform.ShareImage{{
		Tag: "og:image", URL: c.URL, Width: c.Width, Height: c.Height, Format: c.Format, Bytes: c.Bytes, Texts: c.Texts,
	}}
	return p
}

func stageOf(s *Source, shown *platform.Preview, page platform.Page, pictures map[string]sizedPicture) stage {
	v := stage{Preview: *shown, Address: page.URL, Host: strings.TrimPrefix(page.Host, "www.")}
	v.Severity, v.Words = verdict(shown)
	v.Caption = cmp.Or(strings.Join(shown.Notes, " "), "Texts alone.")
	v.Label = label(shown)
	// The crop is known even if the picture itself isn't available.
	whole, ok := pictures[shown.Picture]
	if ok {
		v.Image = imageOf(shown, whole)
	}
	if !ok {
		whole, ok = pictures[leftOut(shown, page)]
	}
	v.Map = mapOf(shown, whole, ok)
	return v
}

// leftOut returns the address of the picture that a platform leaves out, or "": X has tags of its own.
func leftOut(shown *platform.Preview, page platform.Page) string {
	for _, p := range page.Pictures {
		if ofX := strings.HasPrefix(p.Tag, "twitter:"); !ofX || shown.Platform == "x" || len(page.Pictures) == 1 {
			return p.URL
		}
	}
	return ""
}

func imageOf(s *platform.Preview, k sizedPicture) *crop {
	w, h := float64(k.W), float64(k.H)
	return &crop{
		URL: k.URL, Width: s.Width, Height: s.Height, W: k.W, H: k.H,
		ViewBox: fmt.Sprintf("%s %s %s %s", num(s.Crop.X*w), num(s.Crop.Y*h), num(s.Crop.Width*w), num(s.Crop.Height*h)),
	}
}

// num formats a length with at most one decimal.
func num(f float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") }

// mapOf returns the map of what a platform shows of a picture.
func mapOf(s *platform.Preview, k sizedPicture, have bool) *cropMap {
	m := &cropMap{Width: mapWidth, Height: 50}
	if have && k.W > 0 {
		m.URL = k.URL
		m.Height = int(math.Round(float64(mapWidth) * float64(k.H) / float64(k.W)))
		if m.Height > mapMostHeight {
			m.Height = mapMostHeight
			m.Width = max(12, int(math.Round(float64(mapMostHeight)*float64(k.W)/float64(k.H))))
		}
		m.Height = max(12, m.Height)
	}
	w, h := float64(m.Width), float64(m.Height)
	if s.Picture == "" {
		m.Cut = []Box{{0, 0, w, h}}
		return m
	}
	c := s.Crop
	keep := Box{round(c.X * w), round(c.Y * h), round(c.Width * w), round(c.Height * h)}
	m.Keep = &keep
	if keep.X > 0 {
		m.Cut = append(m.Cut, Box{0, 0, keep.X, h}, Box{keep.X + keep.Width, 0, round(w - keep.X - keep.Width), h})
	}
	if keep.Y > 0 {
		m.Cut = append(m.Cut, Box{0, 0, w, keep.Y}, Box{0, keep.Y + keep.Height, w, round(h - keep.Y - keep.Height)})
	}
	return m
}

func round(f float64) float64 { return math.Round(f*10) / 10 }

// verdict returns the severity and its wording.
func verdict(s *platform.Preview) (severity, words string) {
	words = string(s.Verdict)
	if s.TitleCut && s.Verdict != platform.TitleCut && s.Verdict != platform.BareLink {
		words += ", title cut"
	}
	return severityOf(s.Verdict), words
}

// severityOf is the severity of a verdict.
func severityOf(v platform.Verdict) string {
	switch v {
	case platform.Whole:
		return "pass"
	case platform.TitleOver:
		return "info"
	case platform.NoPicture, platform.BareLink:
		return "error"
	}
	return "warning"
}

// label describes what is visible in one line.
func label(s *platform.Preview) string {
	parts := []string{map[platform.Layout]string{
		platform.Large: "large card", platform.Small: "small card", platform.TextOnly: "texts without a picture",
		platform.Link: "a bare link",
	}[s.Layout]}
	if s.Lost > 0 {
		parts = append(parts, fmt.Sprintf("%.0f%% of the picture cut off", 100*s.Lost))
	}
	if s.TitleCut {
		parts = append(parts, "title cut")
	}
	if s.Verdict == platform.TitleOver {
		parts = append(parts, "the title over the picture")
	}
	return s.Name + ": " + strings.Join(parts, ", ")
}

// verdicts returns the one view of a frame that the lead shows.
func verdicts(f *frame) []stage {
	first := f.Views[0]
	first.Class = ""
	return []stage{first}
}

// FrameStyle is the style sheet of previews on platforms, for other pages that show them.
func FrameStyle() string { return read("frames.css") + read("others.css") }

// FrameTemplates adds the templates of previews to those of another page. "frame" draws one of [FramesOf].
func FrameTemplates(t *template.Template) {
	t.Funcs(template.FuncMap{"own": own})
	template.Must(t.New("frames").Parse(read("frames.html")))
}

// FrameView is a preview on a platform, as the template "frame" draws it: F and its Views below Heading.
type FrameView struct {
	F       any
	Views   []any
	Heading string
	Level   int
}

// FrameSheet is the style sheet of a single preview.
func FrameSheet() string { return read("frames.css") }

// WorstFrame returns the most damaged preview of the page of a report, or nil if none is damaged. picture returns the
// address of one of the report's pictures by its name.
func WorstFrame(r *audit.Report, picture func(name string) string) *FrameView {
	o := frames(&Source{Report: r, Picture: picture})
	worst := platform.Worst(o.shown)
	if worst < 0 || o.shown[worst].Verdict.Severity() == 0 {
		return nil
	}
	f := &o.Frames[worst]
	return &FrameView{F: *f, Views: []any{&f.Views[0]}, Heading: "As " + f.Name + " shows it", Level: 2}
}

// FramesOf returns what each platform shows of a page with a card, and the month in which the platforms' properties
// were last compared with their sources. icon is the address of the site's icon, or "".
func FramesOf(shared platform.Page, c *Card, icon string) (all []FrameView, month string) {
	with := withCard(shared, c)
	pictures := map[string]sizedPicture{c.URL: {c.URL, c.Width, c.Height}}
	for _, shown := range platform.ShowAll(with) {
		one := stageOf(nil, &shown, with, pictures)
		one.Icon = icon
		all = append(all, FrameView{
			F: frameOf(&shown), Views: []any{&one}, Heading: shown.Name, Level: 3,
		})
	}
	return all, platform.Checked().Format("January 2006")
}
