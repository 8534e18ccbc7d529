package platform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"masthead/pkg/humanize"
)

// Page is what platforms read from a page. It is a plain value that can be stored.
type Page struct {
	// URL is the final address, which a bare link shows; Host is its host.
	URL  string `json:"url"`
	Host string `json:"host"`
	// Status is the HTTP status of the response; 0 counts as 200.
	Status int `json:"status,omitempty"`
	// Tags are the meta elements that platforms may read, in document order, and the title element as "title".
	Tags []Tag `json:"tags,omitempty"`
	// Card is the effective card of X: "summary", "summary_large_image", "app", "player", or "" for none.
	Card string `json:"card,omitempty"`
	// Pictures are those of "og:image" and "twitter:image", at most one each.
	Pictures []ShareImage `json:"pictures,omitempty"`
	// Blocked lists the product tokens that robots.txt excludes from the page.
	Blocked []string `json:"blocked,omitempty"`
}

// Tag is one value in a page.
type Tag struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	// End is the byte offset of the end of its element; 0 if unknown.
	End int `json:"end,omitempty"`
}

// ShareImage is a picture that a page is shared with.
type ShareImage struct {
	// Tag is "og:image" or "twitter:image", which also covers twitter:image:src. URL is absolute.
	Tag string `json:"tag"`
	URL string `json:"url"`
	// Fault is why the picture can't be loaded, or "" if it can or wasn't checked.
	Fault string `json:"fault,omitempty"`
	// Width and Height are measured, or declared by the page if the picture wasn't measured; 0 if unknown. Format (as
	// named in pkg/picture) and Bytes are measured; "" and 0 if the picture wasn't checked.
	Width  int    `json:"width,omitempty"`
	Height int    `json:"height,omitempty"`
	Format string `json:"format,omitempty"`
	Bytes  int64  `json:"bytes,omitempty"`
	// Blocked lists the product tokens that robots.txt excludes from the picture.
	Blocked []string `json:"blocked,omitempty"`
	// Texts are the texts on a picture that we drew; nil for other pictures.
	Texts []PictureText `json:"texts,omitempty"`
}

// PictureText is a text on a picture: what it is, such as "the title", and where.
type PictureText struct {
	Name string `json:"name"`
	Box  Rect   `json:"box"`
}

// Layout is the layout of a card.
type Layout string

// The layouts: a large picture with texts, a small picture next to texts, only texts, and only the address.
const (
	Large    Layout = "large"
	Small    Layout = "small"
	TextOnly Layout = "text"
	Link     Layout = "link"
)

// Verdict summarizes the preview in two words.
type Verdict string

// The verdicts from best to worst. PictureCut means that more than a tenth of the picture is cropped; less, at its
// edges, still counts as whole. TitleOver means that the title is over a picture that is otherwise whole: that is how
// the platform always does it, so it is as good as whole.
const (
	Whole      Verdict = "Whole"
	TitleOver  Verdict = "Title overlaid"
	TitleCut   Verdict = "Title cut"
	PictureCut Verdict = "Picture cut"
	SmallCard  Verdict = "Small"
	NoPicture  Verdict = "No picture"
	BareLink   Verdict = "Bare link"
)

var verdicts = [...]Verdict{Whole, TitleCut, PictureCut, SmallCard, NoPicture, BareLink}

// Severity orders verdicts: a higher one is worse. [Whole] and [TitleOver] have 0.
func (v Verdict) Severity() int {
	if v == TitleOver {
		return 0
	}
	return slices.Index(verdicts[:], v)
}

// cutShare is the share of a picture that may be cropped before a verdict mentions it. Our own choice: a picture of
// 1.7:1 in a frame of 1.91:1 loses that much.
const cutShare = 0.1

// Rect is a part of a picture, as fractions (0 to 1) of its width and height.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Preview is a platform's preview of a page. Its texts come from the page, truncated but not escaped.
type Preview struct {
	// Platform is the platform's ID, Name its name.
	Platform string  `json:"platform"`
	Name     string  `json:"name"`
	Layout   Layout  `json:"layout"`
	Verdict  Verdict `json:"verdict"`
	// Site, Title and Description are as displayed, or "" if they aren't. In a bare link, Title is the address.
	Site        string `json:"site,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	// TitleFrom, DescriptionFrom and PictureFrom are the tags that they come from.
	TitleFrom       string `json:"titleFrom,omitempty"`
	DescriptionFrom string `json:"descriptionFrom,omitempty"`
	PictureFrom     string `json:"pictureFrom,omitempty"`
	TitleCut        bool   `json:"titleCut,omitempty"`
	DescriptionCut  bool   `json:"descriptionCut,omitempty"`
	// Picture is the address of the displayed picture, or "". Crop is its visible part, Lost the share that isn't
	// visible, and Width and Height the displayed size of that part, in pixels.
	Picture string  `json:"picture,omitempty"`
	Crop    Rect    `json:"crop,omitzero"`
	Lost    float64 `json:"lost,omitempty"`
	Width   int     `json:"width,omitempty"`
	Height  int     `json:"height,omitempty"`
	// Notes explain the preview in sentences.
	Notes []string `json:"notes,omitempty"`
}

// ShowAll returns the previews of a page on all platforms, in the order of [All].
func ShowAll(page Page) []Preview {
	var all []Preview
	for i := range read().Platforms {
		all = append(all, Show(&read().Platforms[i], page))
	}
	return all
}

// Worst returns the index of the worst preview: by verdict, then by the share of the picture that is cropped. It
// returns the first of equals, and -1 if all is empty.
func Worst(all []Preview) int {
	worst := -1
	for i := range all {
		if worst < 0 || worse(&all[i], &all[worst]) {
			worst = i
		}
	}
	return worst
}

func worse(a, b *Preview) bool {
	if x, y := a.Verdict.Severity(), b.Verdict.Severity(); x != y {
		return x > y
	}
	return a.Lost > b.Lost
}

// Show returns a platform's preview of a page.
func Show(p *Platform, page Page) Preview {
	s := Preview{Platform: p.ID, Name: p.Name, Layout: TextOnly}
	if why := p.bare(&page); why != "" {
		s.Layout, s.Verdict, s.Title, s.Notes = Link, BareLink, page.URL, []string{why}
		return s
	}
	title, from := p.tag(&page, p.Title.Tags)
	s.Title, s.TitleCut = Cut(title, p.Title.Columns)
	s.TitleFrom = from
	s.Site = p.siteLine(&page)
	p.showPicture(&page, &s)
	if slices.Contains(p.Description.Layouts, s.Layout) {
		description, from := p.tag(&page, p.Description.Tags)
		s.Description, s.DescriptionCut = Cut(description, p.Description.Columns)
		s.DescriptionFrom = from
	}
	if s.TitleCut {
		if uniseg.GraphemeClusterCount(title) == uniseg.StringWidth(title) {
			s.note("Title cut at %d characters.", p.Title.Columns)
		} else {
			s.note("Title cut at the width of %d Latin characters.", p.Title.Columns)
		}
	} else if from == "title" {
		s.note("The title is that of the title element.")
	}
	s.Verdict = s.judge(p.Large.When == "ads")
	if over := p.Large.Title; over != nil && s.Layout == Large {
		p.overlay(&page, &s)
	}
	return s
}

// overlay notes that the title is over the picture, and over which texts of it.
func (p *Platform) overlay(page *Page, s *Preview) {
	if s.Verdict == Whole {
		s.Verdict = TitleOver
	}
	covered := Covered(p.Large.Title.box(s), p.picture(page).Texts)
	if len(covered) == 0 {
		s.note("%s puts the title over the lower edge of the picture.", p.Name)
		return
	}
	s.note("%s puts the title over the lower edge of the picture, where it covers %s.", p.Name, humanize.And(covered))
}

// box returns the part of the whole picture that the line covers.
func (o *Overlay) box(s *Preview) Rect {
	w, h := float64(s.Width), float64(s.Height)
	wide := min(float64(uniseg.StringWidth(s.Title))*o.Column+2*float64(o.Padding), w-2*float64(o.Inset))
	return Rect{
		X: s.Crop.X + s.Crop.Width*float64(o.Inset)/w, Y: s.Crop.Y + s.Crop.Height*(h-float64(o.Inset+o.Height))/h,
		Width: s.Crop.Width * wide / w, Height: s.Crop.Height * float64(o.Height) / h,
	}
}

// Covered returns the names of the texts that a part of their picture touches, each once.
func Covered(part Rect, texts []PictureText) (names []string) {
	for _, t := range texts {
		if t.Box.X < part.X+part.Width && part.X < t.Box.X+t.Box.Width && t.Box.Y < part.Y+part.Height &&
			part.Y < t.Box.Y+t.Box.Height && !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

func (s *Preview) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// judge returns the verdict. usual means that posts never show a large picture, so that a small one is no damage.
func (s *Preview) judge(usual bool) Verdict {
	switch {
	case s.Layout == TextOnly:
		return NoPicture
	case s.Layout == Small && !usual:
		return SmallCard
	case s.Lost > cutShare:
		return PictureCut
	case s.TitleCut:
		return TitleCut
	}
	return Whole
}

// bare returns why the platform shows a bare link, or "" if it doesn't.
func (p *Platform) bare(page *Page) string {
	if page.Status >= 300 {
		return fmt.Sprintf("The page answers with status %d.", page.Status)
	}
	if p.Crawler.Token != "" && slices.Contains(page.Blocked, p.Crawler.Token) {
		return fmt.Sprintf("robots.txt refuses %s, so neither picture nor title is shown.", p.Crawler.Token)
	}
	for _, need := range p.Needs {
		if need == "card" && page.Card == "" {
			return "There is no card: neither twitter:card nor the tags of Open Graph that stand in for it."
		}
		if title, _ := p.tag(page, p.Title.Tags); need == "title" && title == "" {
			return fmt.Sprintf("There is no title that %s reads (%s).", p.Name, strings.Join(p.Title.Tags, ", "))
		}
	}
	return ""
}

// tag returns the first value among keys that the platform finds, and its key.
func (p *Platform) tag(page *Page, keys []string) (value, from string) {
	for _, key := range keys {
		for i := range page.Tags {
			t := &page.Tags[i]
			if t.Key == key && t.Value != "" && p.Reads(t.End) {
				return t.Value, key
			}
		}
	}
	return "", ""
}

// Reads reports whether the platform reads the HTML up to the offset end.
func (p *Platform) Reads(end int) bool {
	return p.ReadBytes.Value == 0 || float64(end) <= p.ReadBytes.Value
}

// siteLine returns the line that shows where the link leads.
func (p *Platform) siteLine(page *Page) string {
	line := strings.TrimPrefix(page.Host, "www.")
	if p.Site.Line != "host" {
		if name, _ := p.tag(page, []string{"og:site_name"}); name != "" || p.Site.Line == "name-only" {
			line = name
		}
	}
	if p.Site.Upper {
		line = strings.ToUpper(line)
	}
	return line
}

// Cut truncates a text to a number of columns and reports whether it had to. It cuts at the end of a word if there is
// one in the last quarter, never inside a grapheme cluster, and adds an ellipsis, which takes a column. 0 columns
// mean no limit.
func Cut(text string, columns int) (string, bool) {
	if columns <= 0 || uniseg.StringWidth(text) <= columns {
		return text, false
	}
	end, wordEnd, width := 0, 0, 0
	rest, state := text, -1
	for rest != "" {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if width+w > columns-1 {
			break
		}
		if cluster == " " && width >= columns*3/4 {
			wordEnd = end
		}
		width += w
		end += len(cluster)
	}
	if wordEnd > 0 && !strings.HasPrefix(text[end:], " ") {
		end = wordEnd
	}
	return strings.TrimRight(text[:end], " ") + "…", true
}
