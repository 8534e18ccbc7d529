package playground

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"image"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"masthead/pkg/card"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/pkg/tickets"
	"masthead/pkg/web/designs"
	"masthead/pkg/web/report"
	"masthead/pkg/web/snippets"
	"masthead/pkg/web/ui"
	"masthead/render/design/start"
)

// view is the data of the templates.
type view struct {
	Head  ui.Head
	Field ui.Field
	// Status is that of the response. Streamed means that its beginning was already sent; Step is a line of progress.
	Status   int
	Streamed bool
	Step     string
	// Hidden are the choices as fields of a form; Chosen reports whether there are any.
	Hidden  []pair
	Chosen  bool
	Expired bool

	// Ticket is the path of the ticket's page, URL the page's address and Address the same for people.
	Ticket, URL, Address string
	Read, Until          string // how long reading took, and when the ticket expires
	// Fault is why there is no page; then Headline replaces everything else.
	Headline, Fault string
	// FromText means that the cards are drawn from entered text alone.
	FromText bool

	Title    string // the h1
	Kinds    []choice
	Kind     card.Kind
	Selected *proof
	Fork     fork
	Shown    []proof
	Lacking  []lacking
	Count    string
	Accents  []accent
	Own      string // the accent that was entered
	OwnFault string
	Grounds  []choice
	Sizes    []sizeChoice
	Fonts    []choice
	Ratios   []choice
	Corners  []choice
	LogoSays string
	Logoed   bool // whether a corner is chosen
	// LogoKey is the key of the visitor's own logo, or ""; OwnLogo leads back to the site's. FileFault is what is wrong
	// with the file that was sent. LogoTo is where the form with a file is sent.
	LogoKey, OwnLogo, FileFault, LogoTo string
	Texts                               []text
	Retold                              bool // whether texts were entered
	PlainPath                           string
	Look                                string // the address that shares the choices
	Crops                               []crop

	Frames, MoreFrames []report.FrameView
	Month              string

	Icons    *icons
	SignedIn bool
	// LogoFile means that the logo is a file that isn't stored yet, so code can't name it.
	LogoFile bool
	// Use is how to use the image, For the chosen snippet or "".
	Use snippets.Use
	For string
	// Projects are those of the person who is signed in, to choose from. Failed is what is wrong with the form that was
	// sent, or nil, and Again a new Idempotency-Key. Register leads back here, with an account.
	Projects        []choice
	Failed          *ui.Form
	Again, Register string
	// AI are the AI pictures that the person can have, or nil where there are none.
	AI *units
}

// pair is a hidden field.
type pair struct{ Name, Value string }

func pairs(q url.Values) (all []pair) {
	for name, values := range q {
		all = append(all, pair{name, values[0]})
	}
	slices.SortFunc(all, func(a, b pair) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// proof is a design with the address of its drawing.
type proof struct {
	Slug, Name, Mood  string
	Src, Alt          string
	Width, Height     int
	Chosen            bool
	Facts, Ext        string // of the drawn picture; "" if it isn't known
	Download          string
	Notes             []string
	ContentType, Busy string
	// Bare means that the design takes no AI picture.
	Bare bool
}

// lacking is a design whose facts the page doesn't have.
type lacking struct{ Name, Needs string }

// crop is a part of a hero that a theme may show: its name, and the hidden parts on a picture of Width×Height.
type crop struct {
	Name string
	// Severity and Says are the verdict: which texts are cut.
	Severity, Says string
	Src            string
	Width, Height  int
	Cut            []report.Box
}

// icons is the icon set.
type icons struct {
	Files            []iconFile
	Sizes            []iconFile
	Places           template.HTML
	Source           string
	Sources          []iconSource
	Links            string
	Zip              string
	Notes            []string
	Treatment, Badge string
}

type iconFile struct {
	Name, Src, Size, Remark string
	Side                    int
}

// sizes of the pictures of a kind, in pixels.
func sizeOf(c tickets.Choices) (width, height int) {
	switch {
	case c.Size != image.Point{}:
		return c.Size.X, c.Size.Y
	case c.Kind == card.BlogHero && c.AspectRatio == tickets.Ratios[1]:
		return 1600, 1000
	case c.Kind == card.BlogHero:
		return 1600, 900
	}
	return 1200, 630
}

var titles = map[card.Kind]string{
	card.OG: "Choose a face for this page", card.BlogHero: "Choose a hero for this post",
	card.IconSet: "One icon, every size",
}

var kindNames = map[card.Kind]string{card.OG: "Share image", card.BlogHero: "Blog hero", card.IconSet: "Icon set"}

// view returns what the page of a ticket shows. fault is that of the choices.
func (p *Pages) view(
	ctx context.Context, caller identity.Caller, t *tickets.Ticket, c tickets.Choices, fault error,
) (*view, error) {
	address := t.Page.String()
	v := &view{
		Head: ui.Head{Title: t.Page.Hostname() + " in every design: Masthead", NoIndex: true}, Status: http.StatusOK,
		Ticket: "/try/" + t.ID, URL: address, Address: shortAddress(address), Kind: c.Kind, Title: titles[c.Kind],
		Read:  "Read in " + milliseconds(t.Facts.Took),
		Until: t.CreatedAt.Add(time.Hour).UTC().Format("15:04") + " UTC", Hidden: pairs(c.PageQuery()),
		FromText: t.State == tickets.Failed,
	}
	look := c.PageQuery()
	look.Set("url", address)
	v.Look = p.base + "/try?" + look.Encode()
	if t.State == tickets.Failed && c.Content.Title == "" {
		v.Headline, v.Fault = t.Facts.Fault.Headline, t.Facts.Fault.Detail
		v.Status = t.Facts.Fault.Code.Meaning().Status
		return v, nil
	}
	for _, k := range tickets.Kinds {
		of := c
		of.Kind = k
		if k == card.IconSet && v.FromText {
			continue // there are no icons without a page
		}
		v.Kinds = append(v.Kinds, choice{Name: kindNames[k], Path: pathOf(t.ID, of.PageQuery()), Chosen: k == c.Kind})
	}
	if c.Kind == card.IconSet {
		return v, p.addIcons(ctx, v, caller, t)
	}
	if err := v.addChoices(t, c, fault); err != nil {
		return nil, err
	}
	return v, p.addProofs(ctx, v, caller, t, c)
}

// fork is where a design of one's own begins. Name is the design that it begins with, or "".
type fork struct{ URL, Name string }

// forkOf returns where a design of one's own begins for who has chosen a design.
func forkOf(chosen *proof) fork {
	query := url.Values{"new": {"1"}}
	var f fork
	if _, ok := start.Document(chosen.Slug); ok {
		f.Name = chosen.Name
		query.Set("from", chosen.Slug)
	}
	f.URL = designs.Path + "?" + query.Encode() + "#new"
	return f
}

// addProofs adds the sheet, with the selected design drawn.
func (p *Pages) addProofs(
	ctx context.Context, v *view, caller identity.Caller, t *tickets.Ticket, c tickets.Choices,
) error {
	best, err := t.Auto(c)
	if err != nil {
		return err
	}
	shown, more, err := t.Designs(c, best)
	if err != nil {
		return err
	}
	selected := cmp.Or(c.Template, best)
	if !slices.ContainsFunc(shown, func(d tickets.Design) bool { return d.Slug == selected }) {
		for i, d := range more {
			if d.Slug == selected { // from a shared link: it is drawn as well as this page allows
				shown, more = append(shown, d), slices.Delete(more, i, i+1)
				break
			}
		}
	}
	width, height := sizeOf(c)
	q := c.Query()
	for _, d := range shown {
		one := proof{
			Slug: d.Slug, Name: d.Name, Mood: d.Mood, Src: proofPath(t.ID, d.Slug, tickets.SmallWidth, q),
			Width: tickets.SmallWidth, Height: height * tickets.SmallWidth / width, Alt: "This page in the design " + d.Name,
			Chosen: d.Slug == selected, Bare: d.Bare,
		}
		v.Shown = append(v.Shown, one)
		if one.Chosen {
			one.Src, one.Width, one.Height = proofPath(t.ID, d.Slug, width, q), width, height
			v.Selected = &one
			v.Sizes = sizesOf(t, c, d.Template)
		}
	}
	for _, d := range more {
		v.Lacking = append(v.Lacking, lacking{d.Name, ui.Needs(d.Missing)})
	}
	v.Count = humanize.Count(len(shown), "design")
	if v.Selected == nil {
		return fmt.Errorf("the design %s isn't drawn", selected)
	}
	v.Fork = forkOf(v.Selected)
	// Where it can't be drawn, the picture itself says so; the rest of the page doesn't depend on it.
	if drawn, err := p.tickets.Proof(ctx, caller, t, c, selected, false); err == nil {
		v.addDrawn(t, c, selected, drawn)
	}
	return ctx.Err()
}

// addDrawn adds what is known of the selected design once it was drawn.
func (v *view) addDrawn(t *tickets.Ticket, c tickets.Choices, selected string, drawn *tickets.Proof) {
	s := v.Selected
	s.Alt = drawn.Alt
	s.Facts = fmt.Sprintf("%d×%d, %s, %s, %s", drawn.Width, drawn.Height,
		strings.ToUpper(strings.TrimPrefix(drawn.ContentType, "image/")), humanize.Bytes(int64(len(drawn.Bytes))),
		milliseconds(drawn.Took))
	s.Download = fileName(t, selected, drawn.Ext)
	for _, w := range drawn.Warnings {
		s.Notes = append(s.Notes, w.Detail)
	}
	if said := t.Facts.Texts; t.State == tickets.Ready && cmp.Or(c.Content.Title, said.CardTitle, said.Title) == "" {
		s.Notes = append(s.Notes, bareNote)
	}
	if c.Kind == card.OG {
		v.addFrames(t, c, drawn)
	} else {
		v.addCrops(c, drawn)
	}
}

// bareNote is said of a page without a title: its card has only its address.
const bareNote = "This page has no title, so the card shows its address. " +
	"Enter a title under “Text” to see more designs."

// addFrames adds the previews on platforms.
func (v *view) addFrames(t *tickets.Ticket, c tickets.Choices, drawn *tickets.Proof) {
	all, month := report.FramesOf(sharedOf(t, c), &report.Card{
		URL: v.Selected.Src, Format: strings.TrimPrefix(drawn.ContentType, "image/"),
		Width: drawn.Width, Height: drawn.Height, Bytes: int64(len(drawn.Bytes)), Alt: drawn.Alt,
		Texts: drawn.Texts,
	}, "")
	const first = 4
	v.Frames, v.MoreFrames, v.Month = all[:min(first, len(all))], all[min(first, len(all)):], month
}

// sharedOf is what platforms read of a page. A page that couldn't be read has the text that was entered.
func sharedOf(t *tickets.Ticket, c tickets.Choices) platform.Page {
	if t.State == tickets.Ready {
		return t.Facts.Shared
	}
	return platform.Page{URL: t.Page.String(), Host: t.Page.Hostname(), Card: "summary_large_image", Tags: []platform.Tag{
		{Key: "title", Value: c.Content.Title}, {Key: "og:title", Value: c.Content.Title},
		{Key: "og:description", Value: c.Content.Description}, {Key: "og:site_name", Value: c.Content.SiteName},
	}}
}

// addCrops adds the parts of a hero that themes show: centered, and as large as possible.
func (v *view) addCrops(c tickets.Choices, drawn *tickets.Proof) {
	const width = 112
	w, h := sizeOf(c)
	height := width * h / w
	for _, ratio := range []struct {
		name string
		of   float64
	}{{"3:2", 1.5}, {"4:3", 4.0 / 3}, {"1:1", 1}} {
		hidden := round((width - float64(height)*ratio.of) / 2)
		lost := hidden/width - overhang
		cut := platform.Covered(platform.Rect{Width: lost, Height: 1}, drawn.Texts)
		for _, name := range platform.Covered(platform.Rect{X: 1 - lost, Width: lost, Height: 1}, drawn.Texts) {
			if !slices.Contains(cut, name) {
				cut = append(cut, name)
			}
		}
		severity, says := "pass", "All texts are whole"
		if len(cut) > 0 {
			severity, says = "warning", "Cuts "+humanize.And(cut)
		}
		v.Crops = append(v.Crops, crop{
			Name: ratio.name, Severity: severity, Says: says,
			Src: v.Selected.Src, Width: width, Height: height, Cut: []report.Box{
				{Width: hidden, Height: float64(height)},
				{X: width - hidden, Width: hidden, Height: float64(height)},
			},
		})
	}
}

// overhang is the share of a hero's width that a letter may be beyond an edge without being cut: serifs and round
// letters begin a few pixels before their line does.
const overhang = .003

func round(f float64) float64 { return math.Round(f*10) / 10 }

// milliseconds is a time for people.
func milliseconds(d time.Duration) string {
	if d >= time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d ms", max(1, d.Milliseconds()))
}

// shortAddress is an address without its scheme and an empty path.
func shortAddress(address string) string {
	_, bare, _ := strings.Cut(address, "://")
	return strings.TrimSuffix(bare, "/")
}

// describe is a line of progress, or "" for a step that tells nothing.
func describe(s scrape.Step) string {
	switch {
	case s.Kind == scrape.PageAnswered:
		return fmt.Sprintf("The page responded with %d, %s", s.Status, humanize.Bytes(s.Size))
	case s.Kind == scrape.PageRead:
		return "Its texts and colors are read"
	case s.Kind == scrape.PictureMeasured && s.Err == nil && s.Icon:
		return fmt.Sprintf("An icon is read: %d×%d", s.Facts.Width, s.Facts.Height)
	}
	return ""
}
