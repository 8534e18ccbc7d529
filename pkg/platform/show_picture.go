package platform

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"masthead/pkg/humanize"
)

// showPicture selects the layout and the visible part of the picture.
func (p *Platform) showPicture(page *Page, s *Preview) {
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
	if cut := found.cut(s.Crop); len(cut) > 0 {
		s.note("That cuts %s.", humanize.And(cut))
	} else if s.Lost > 0 && found.Texts != nil {
		s.note("No text is cut.")
	}
	if safe := p.Picture.SafeBytes.Value; safe > 0 && float64(found.Bytes) > safe {
		s.note("%s; pictures over %s may be dropped.", humanize.Bytes(found.Bytes), humanize.Bytes(int64(safe)))
	}
	if slices.Contains(p.Picture.Formats.Open, found.Format) {
		s.note("It is not certain that %s shows %s everywhere.", p.Name, strings.ToUpper(found.Format))
	}
}

// cut returns the names of the texts that a crop of the picture cuts, or cuts off.
func (f *ShareImage) cut(crop Rect) (names []string) {
	right, bottom := crop.X+crop.Width, crop.Y+crop.Height
	for _, outside := range []Rect{
		{Width: crop.X, Height: 1}, {X: right, Width: 1 - right, Height: 1},
		{Width: 1, Height: crop.Y}, {Y: bottom, Width: 1, Height: 1 - bottom},
	} {
		for _, name := range Covered(outside, f.Texts) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// picture returns the picture that the platform uses, or nil. Tags beyond the bytes that it reads don't count.
func (p *Platform) picture(page *Page) *ShareImage {
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
func (p *Platform) Refuses(found *ShareImage, card string) Refusal {
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
func (p *Platform) frame(found *ShareImage, card string) (*Frame, Layout) {
	if p.Large.When == "card" && card != "summary_large_image" && card != "player" && card != "app" ||
		p.Large.When == "size" && !found.fills(&p.Large) || p.Large.When == "ads" {
		return &p.Small, Small
	}
	return &p.Large, Large
}

// ratio is the width of the picture divided by its height, or 0 without a size.
func (f *ShareImage) ratio() float64 {
	if f.Height <= 0 {
		return 0
	}
	return float64(f.Width) / float64(f.Height)
}

// refusal returns a [Refusal] in words, "" for [Accepted].
func (p *Platform) refusal(why Refusal, found *ShareImage, card string) string {
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
func (f *ShareImage) fills(frame *Frame) bool {
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
