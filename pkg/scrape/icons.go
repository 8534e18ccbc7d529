package scrape

import (
	"context"
	"image"
	"slices"
	"sync"

	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/weburl"
	"masthead/render/palette"
)

// This file looks at a site's icons side by side and ranks them. A card, which takes one icon of a modest size, has the
// shorter way of icon.go.

// IconFile is a file that may be the site's icon.
type IconFile struct {
	// Link is what names the file; see [page.Icon] for what Rel says.
	Link page.Icon
	// URL is the address it was fetched from, before redirects; zero for one that stands in the page itself.
	URL weburl.URL
	// Facts are those of the file: an SVG has the size that it gives itself, which may be none.
	Facts picture.Facts
	// Image is what the file shows, which nobody may change: a raster in its own size, an ICO's largest picture, an SVG
	// in which the longer side has 128 pixels.
	Image *image.NRGBA
	// Draw draws an SVG anew so that its longer side has side pixels; nil for a raster. All drawings of it, that of
	// Image among them, take at most a second together. Errors are a [*PictureError].
	Draw func(ctx context.Context, side int) (*image.NRGBA, error)

	clusters []palette.Cluster // the main colours of the best one, when colours are wanted
}

const (
	// maxIconPixels is the most that an icon in a raster may have. Source: the requirements of icons, 4 megapixels.
	maxIconPixels = 4 << 20
	// minIconSide is the least side of an icon that is of use at large size. Source: audit rules, F.1.
	minIconSide = 32
	// svgLook is the longer side, in pixels, that an SVG is drawn at to be looked at.
	svgLook = 128
	// squareRatio is the greatest ratio of sides of what still counts as a square.
	squareRatio = 1.1
)

// siteIcons looks at the files that are largest by what is said of them, and returns all candidates, the best first.
// Those that were not looked at are NotAsked and come last.
func (sc *scraping) siteIcons(ctx context.Context) []Part[IconFile] {
	var p *page.Page
	if sc.site.Page.Got() {
		p = sc.site.Page.Value.Page
	}
	own := settle(func() (IconFile, error) { return sc.ownIcon(ctx) })
	if own.Got() {
		return []Part[IconFile]{own}
	}
	links := iconLinks(p, &sc.site.Manifest.Value)
	files := make([]Part[IconFile], len(links))
	var work sync.WaitGroup
	for i := range links {
		files[i].Value.Link = links[i]
		if i < maxIcons {
			work.Go(func() { files[i] = settle(func() (IconFile, error) { return sc.iconFile(ctx, links[i]) }) })
		}
	}
	work.Wait()
	slices.SortStableFunc(files, compareIcons)
	if len(files) > 0 && files[0].Got() && (sc.need.Colors || sc.need.Signals) {
		best := &files[0].Value
		best.clusters = palette.Clusters(picture.Contain(best.Image, clusterSide, clusterSide))
	}
	if own.State != Absent { // why it does not stand for the others
		files = append(files, own)
	}
	return files
}

// ownIcon is the icon that the caller names, which stands for those of the site.
func (sc *scraping) ownIcon(ctx context.Context) (file IconFile, err error) {
	switch own := sc.need.Icon; {
	case own.Data != nil:
		err = sc.look(ctx, &file, own.Data)
		return file, err
	case !own.First.IsZero():
		address := own.First.String()
		return sc.iconFile(ctx, page.Icon{Href: address, URL: address})
	}
	return file, errAbsent
}

// IconSources returns those of the icons that can stand for the site, the best first. One that is made for a purpose of
// its own, such as for dark screens, is among them only where there is no other.
func (s *Site) IconSources() (files []*IconFile) {
	for i := range s.Icons {
		file := &s.Icons[i].Value
		if s.Icons[i].Got() && (file.square() || !isLogo(file.Link.Rel)) && !(lesser(&file.Link) && len(files) > 0) {
			files = append(files, file)
		}
	}
	return files
}

// iconFile fetches an icon and looks at it. What is known of it is returned with an error too.
func (sc *scraping) iconFile(ctx context.Context, link page.Icon) (IconFile, error) {
	file := IconFile{Link: link}
	if data, ok := dataOf(link.Href); ok {
		return file, sc.look(ctx, &file, data)
	}
	var err error
	if file.URL, err = readLink(link.URL); err != nil {
		return file, err
	}
	resource := fetch.Icon
	if link.SVG() {
		resource = fetch.SVG
	}
	step := Step{Kind: PictureMeasured, URL: file.URL, Icon: true}
	response, err := sc.get(ctx, file.URL, resource)
	if err == nil {
		step.Status, step.Size = response.Status, response.Size
		err = sc.look(ctx, &file, response.Body)
	}
	step.Facts, step.Err = file.Facts, err
	sc.tell(step)
	return file, err
}

// look fills in what a file shows.
func (sc *scraping) look(ctx context.Context, file *IconFile, data []byte) (err error) {
	if file.Facts, err = picture.Inspect(data); err != nil {
		return &PictureError{err}
	}
	if file.Facts.Format == picture.SVG {
		draw := sc.drawSVG(data)
		if file.Image, err = draw(ctx, svgLook); err != nil {
			return err
		}
		file.Draw, file.Facts.Alpha = draw, picture.No
		if !file.Image.Opaque() {
			file.Facts.Alpha = picture.Yes
		}
		return nil
	}
	if tooManyPixels(file.Facts) {
		return &PictureError{picture.ErrTooLarge}
	}
	img, facts, err := sc.decode(ctx, data, picture.Want{})
	if err != nil {
		return &PictureError{err}
	}
	file.Image, file.Facts = img, facts
	return nil
}

// tooManyPixels reports whether an icon is a raster of more than it may have. An SVG is drawn at a size of ours.
func tooManyPixels(facts picture.Facts) bool {
	return facts.Format != picture.SVG && facts.Width*facts.Height > maxIconPixels
}

// boundIcon refuses the file of an icon that is too large, before it is decoded.
func boundIcon(file []byte) error {
	if facts, err := picture.Inspect(file); err == nil && tooManyPixels(facts) {
		return &PictureError{picture.ErrTooLarge}
	}
	return nil // what else is wrong with it decoding will tell
}

// drawSVG returns what draws a document so that its longer side has so many pixels, or fewer where that takes too long.
func (sc *scraping) drawSVG(data []byte) func(context.Context, int) (*image.NRGBA, error) {
	var mu sync.Mutex // drawings at the same time would not know of each other
	spent := new(svg.Spent)
	return func(ctx context.Context, side int) (*image.NRGBA, error) {
		mu.Lock()
		defer mu.Unlock()
		img, _, err := sc.decode(ctx, data, picture.Want{Long: side, Spent: spent})
		if err != nil {
			return nil, &PictureError{err}
		}
		return img, nil
	}
}

// compareIcons orders icons that were looked at, the best first; those that are alike keep the order of their links.
// Source: audit rules, F.1.
func compareIcons(a, b Part[IconFile]) int { return slices.Compare(iconKeys(&a), iconKeys(&b)) }

// iconKeys returns what an icon is judged by, the weightiest first; less is better.
func iconKeys(icon *Part[IconFile]) []int {
	file := &icon.Value
	if !icon.Got() {
		return []int{1, miss(icon.State != NotAsked)}
	}
	return []int{
		0, miss(file.Useful()), miss(!lesser(&file.Link)), miss(file.Draw != nil), miss(file.square()), -file.side(),
		slices.Index(formatOrder, file.Facts.Format), miss(file.Facts.Alpha == picture.Yes),
	}
}

func miss(ok bool) int {
	if ok {
		return 0
	}
	return 1
}

// formatOrder are the formats of icons, the one to take of two alike in front. Source: audit rules, F.1.
var formatOrder = []picture.Format{
	picture.PNG, picture.SVG, picture.WebP, picture.JPEG, picture.ICO, picture.GIF,
}

// Named says whether the page, its manifest or the caller names the file; another was looked for where every site may
// have one.
func (f *IconFile) Named() bool { return f.Link.Rel != relFavicon && f.Link.Rel != relTouchRoot }

// Useful says whether the file can stand for the site at large size: it is large enough, and a logo is a square.
func (f *IconFile) Useful() bool {
	return f.Image != nil && (f.Draw != nil || f.side() >= minIconSide) && (f.square() || !isLogo(f.Link.Rel))
}

// side is the shorter one, in pixels. SVGs count as alike.
func (f *IconFile) side() int {
	if f.Image == nil || f.Draw != nil {
		return 0
	}
	return min(f.Image.Rect.Dx(), f.Image.Rect.Dy())
}

func (f *IconFile) square() bool {
	if f.Image == nil {
		return false
	}
	w, h := float64(f.Image.Rect.Dx()), float64(f.Image.Rect.Dy())
	return max(w, h) <= squareRatio*min(w, h)
}
