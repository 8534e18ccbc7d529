package platform

import (
	"fmt"
	"math"
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
	Pictures []Picture `json:"pictures,omitempty"`
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

// Picture is a picture that a page is shared with.
type Picture struct {
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

// Shown is a platform's preview of a page. Its texts come from the page, truncated but not escaped.
type Shown struct {
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
func ShowAll(page Page) []Shown {
	var all []Shown
	for i := range read().Platforms {
		all = append(all, Show(&read().Platforms[i], page))
	}
	return all
}

// Worst returns the index of the worst preview: by verdict, then by the share of the picture that is cropped. It
// returns the first of equals, and -1 if all is empty.
func Worst(all []Shown) int {
	worst := -1
	for i := range all {
		if worst < 0 || worse(&all[i], &all[worst]) {
			worst = i
		}
	}
	return worst
}

func worse(a, b *Shown) bool {
	if x, y := a.Verdict.Severity(), b.Verdict.Severity(); x != y {
		return x > y
	}
	return a.Lost > b.Lost
}

// Show returns a platform's preview of a page.
func Show(p *Platform, page Page) Shown {
	s := Shown{Platform: p.ID, Name: p.Name, Layout: TextOnly}
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
func (p *Platform) overlay(page *Page, s *Shown) {
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
func (o *Overlay) box(s *Shown) Rect {
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

func (s *Shown) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// judge returns the verdict. usual means that posts never show a large picture, so that a small one is no damage.
func (s *Shown) judge(usual bool) Verdict {
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

// showPicture selects the layout and the visible part of the picture.
func (p *Platform) showPicture(page *Page, s *Shown) {
	found := p.picture(page)
	if found == nil {
		s.note("There is no picture that %s takes (%s).", p.Name, strings.Join(p.Picture.Tags, ", "))
		return
	}
	if p.Crawler.Token != "" && slices.Contains(found.Blocked, p.Crawler.Token) {
		s.note("robots.txt refuses the picture to %s.", p.Crawler.Token)
		return
	}
	if why := p.Refuses(found, page.Card); why != Accepted {
		s.note("%s", p.refusal(why, found, page.Card))
		return
	}
	frame, layout := p.frame(found, page.Card)
	s.Layout = layout
	switch declared, _ := p.tag(page, []string{"twitter:card"}); {
	case layout == Large:
	case p.Large.When == "ads":
		s.note("Beside the title, as in all posts; advertisements show the large one.")
	case p.Large.When == "size":
		s.note("Small: the picture is %dx%d, and large ones begin at %s.", found.Width, found.Height, p.Large.least())
	case declared == "":
		s.note("Small without summary_large_image: there is no twitter:card.")
	default:
		s.note("Small by its twitter:card.")
	}
	s.Picture, s.PictureFrom = found.URL, found.Tag
	s.Crop, s.Width, s.Height = frame.place(found.Width, found.Height)
	if s.Lost = 1 - s.Crop.Width*s.Crop.Height; s.Lost < 0.005 {
		s.Lost = 0
	}
	switch {
	case s.Lost > cutShare:
		s.note("%s from the middle: %.0f%% of the picture is cut off.", frame.shape(), 100*s.Lost)
	case s.Lost > 0:
		s.note("%s from the middle: all but %.0f%% at the edges is shown.", frame.shape(), 100*s.Lost)
	case s.Layout == Large:
		s.note("The whole picture is shown.")
	}
	if safe := p.Picture.SafeBytes.Value; safe > 0 && float64(found.Bytes) > safe {
		s.note("%s; pictures over %s may be dropped.", humanize.Bytes(found.Bytes), humanize.Bytes(int64(safe)))
	}
	if slices.Contains(p.Picture.Formats.Open, found.Format) {
		s.note("It is not certain that %s shows %s everywhere.", p.Name, strings.ToUpper(found.Format))
	}
}

// picture returns the picture that the platform uses, or nil. Tags beyond the bytes that it reads don't count.
func (p *Platform) picture(page *Page) *Picture {
	for _, tag := range p.Picture.Tags {
		for i := range page.Pictures {
			found := &page.Pictures[i]
			if found.Tag != tag || found.URL == "" {
				continue
			}
			at := slices.IndexFunc(page.Tags, func(t Tag) bool { return strings.HasPrefix(t.Key, tag) })
			if at >= 0 && !p.Reads(page.Tags[at].End) {
				return nil
			}
			return found
		}
	}
	return nil
}

// Refusal is why a platform doesn't show a picture.
type Refusal uint8

// The refusals, [Accepted] being none: the picture doesn't load, or its format, the size of its file, one of its sides,
// its aspect ratio or its small size isn't what the platform shows.
const (
	Accepted Refusal = iota
	ByFault
	ByFormat
	ByBytes
	BySide
	ByRatio
	BySize
)

// Refuses returns why the platform doesn't show a picture in a page with the given effective card. robots.txt isn't
// considered.
func (p *Platform) Refuses(found *Picture, card string) Refusal {
	limits := &p.Picture
	switch {
	case found.Fault != "":
		return ByFault
	case found.Format != "" && !slices.Contains(limits.Formats.Names, found.Format) &&
		!slices.Contains(limits.Formats.Open, found.Format):
		return ByFormat
	case limits.Bytes.Value > 0 && float64(found.Bytes) > limits.Bytes.Value:
		return ByBytes
	case limits.MostSide.Value > 0 && float64(max(found.Width, found.Height)) > limits.MostSide.Value:
		return BySide
	case limits.MostRatio.Value > 0 && found.ratio() > limits.MostRatio.Value:
		return ByRatio
	}
	if frame, _ := p.frame(found, card); !found.fills(frame) {
		return BySize
	}
	return Accepted
}

// frame returns the frame that a picture gets, and its layout.
func (p *Platform) frame(found *Picture, card string) (*Frame, Layout) {
	if p.Large.When == "card" && card != "summary_large_image" && card != "player" && card != "app" ||
		p.Large.When == "size" && !found.fills(&p.Large) || p.Large.When == "ads" {
		return &p.Small, Small
	}
	return &p.Large, Large
}

// ratio is the width of the picture divided by its height, or 0 without a size.
func (f *Picture) ratio() float64 {
	if f.Height <= 0 {
		return 0
	}
	return float64(f.Width) / float64(f.Height)
}

// refusal returns a [Refusal] in words, "" for [Accepted].
func (p *Platform) refusal(why Refusal, found *Picture, card string) string {
	limits := &p.Picture
	switch why {
	case ByFault:
		return fmt.Sprintf("The picture does not load: %s.", found.Fault)
	case ByFormat:
		return fmt.Sprintf("%s shows no %s.", p.Name, strings.ToUpper(found.Format))
	case ByBytes:
		return fmt.Sprintf("%s; pictures over %s are dropped.",
			humanize.Bytes(found.Bytes), humanize.Bytes(int64(limits.Bytes.Value)))
	case BySide:
		return fmt.Sprintf("The picture is %dx%d; no side may have more than %.0f pixels.", found.Width, found.Height,
			limits.MostSide.Value)
	case ByRatio:
		return fmt.Sprintf("The picture is %.1f times as wide as high; above %.0f it is dropped.", found.ratio(),
			limits.MostRatio.Value)
	case BySize:
		frame, _ := p.frame(found, card)
		return fmt.Sprintf("The picture is %dx%d; %s shows none below %s.", found.Width, found.Height, p.Name, frame.least())
	}
	return ""
}

// fills reports whether the picture is large enough for the frame. An unmeasured picture counts as large enough.
func (f *Picture) fills(frame *Frame) bool {
	return f.Width == 0 || f.Height == 0 || f.Width >= frame.LeastWidth && f.Height >= frame.LeastHeight
}

// least returns the minimum size of a picture in words.
func (f *Frame) least() string {
	if f.LeastHeight <= 1 {
		return fmt.Sprintf("a width of %d", f.LeastWidth)
	}
	return fmt.Sprintf("%dx%d", f.LeastWidth, f.LeastHeight)
}

// shape returns the frame's aspect ratio in words, for the start of a sentence.
func (f *Frame) shape() string {
	if f.Width == f.Height {
		return "Square"
	}
	return fmt.Sprintf("%.2f:1", float64(f.Width)/float64(f.Height))
}

// place returns the part of a picture of w by h pixels that is visible in the frame, and its displayed size. A
// picture of unknown size is entirely visible.
func (f *Frame) place(w, h int) (crop Rect, width, height int) {
	crop = Rect{0, 0, 1, 1}
	if w <= 0 || h <= 0 {
		return crop, f.Width, f.Height
	}
	across, down := float64(f.Width)/float64(w), float64(f.Height)/float64(h)
	if f.Fit == Contain {
		scale := min(across, down, 1)
		return crop, max(1, int(math.Round(float64(w)*scale))), max(1, int(math.Round(float64(h)*scale)))
	}
	if across > down { // the picture is too high
		crop.Height = down / across
		crop.Y = (1 - crop.Height) / 2
	} else {
		crop.Width = across / down
		crop.X = (1 - crop.Width) / 2
	}
	return crop, f.Width, f.Height
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
