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

// This file compares and ranks a site's icons. Cards, which need one icon of modest size, use the shorter path in
// icon.go.

// IconFile is a file that may be the site's icon.
type IconFile struct {
	// Link is the reference to the file; see [page.Icon] for the values of Rel.
	Link page.Icon
	// URL is the address it was fetched from, before redirects; zero for an icon embedded in the page.
	URL weburl.URL
	// Facts describe the file. The size of an SVG is the one it declares, if any.
	Facts picture.Facts
	// Image is the decoded file, which must not be modified: a raster in its own size, an ICO's largest picture, an SVG
	// with a longer side of 128 pixels.
	Image *image.NRGBA
	// Draw draws an SVG again with a longer side of side pixels; it is nil for a raster. All drawings of one file,
	// including Image, take at most a second in total. Errors are a [*PictureError].
	Draw func(ctx context.Context, side int) (*image.NRGBA, error)
	// Rewrite returns an SVG as text that is safe to serve, or "" if it can't be; see [svg.Document.Rewritten]. It is nil
	// for a raster.
	Rewrite func() string

	clusters []palette.Cluster // the main colors of the best icon, if colors are needed
}

const (
	// maxIconPixels is the maximum number of pixels of a raster icon.
	maxIconPixels = 4 << 20
	// minIconSide is the minimum side of an icon that is usable at large size.
	minIconSide = 32
	// svgLook is the longer side, in pixels, at which SVGs are drawn for comparison.
	svgLook = 128
	// squareRatio is the maximum ratio of sides that still counts as square.
	squareRatio = 1.1
)

// siteIcons examines the files with the largest stated sizes, and returns all candidates, best first. Those that
// weren't examined are NotAsked and come last.
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
	if own.State != Absent { // why it doesn't replace the others
		files = append(files, own)
	}
	return files
}

// ownIcon examines the icon that the caller names, which replaces those of the site.
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

// IconSources returns the icons that can represent the site, best first. An icon for a special purpose, such as for
// dark screens, is included only if there is no other.
func (s *Result) IconSources() (files []*IconFile) {
	for i := range s.Icons {
		file := &s.Icons[i].Value
		if s.Icons[i].Got() && (file.square() || !isLogo(file.Link.Rel)) && !(lesser(&file.Link) && len(files) > 0) {
			files = append(files, file)
		}
	}
	return files
}

// iconFile fetches and examines an icon. Partial results are returned along with an error.
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

// look decodes a file and fills in the results.
func (sc *scraping) look(ctx context.Context, file *IconFile, data []byte) (err error) {
	if file.Facts, err = picture.Inspect(data); err != nil {
		return &PictureError{err}
	}
	if file.Facts.Format == picture.SVG {
		draw := sc.drawSVG(data)
		var facts picture.Facts
		if file.Image, facts, err = draw(ctx, svgLook); err != nil {
			return err
		}
		file.Rewrite = func() string {
			document, err := svg.Clean(data)
			if err != nil {
				return ""
			}
			return document.Rewritten()
		}
		file.Facts.Alpha, file.Facts.Omitted = picture.No, facts.Omitted
		file.Draw = func(ctx context.Context, side int) (*image.NRGBA, error) {
			img, _, err := draw(ctx, side)
			return img, err
		}
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

// tooManyPixels reports whether an icon is a raster with too many pixels. An SVG is drawn at a size of our choice.
func tooManyPixels(facts picture.Facts) bool {
	return facts.Format != picture.SVG && facts.Width*facts.Height > maxIconPixels
}

// boundIcon rejects an icon file that is too large, before it is decoded.
func boundIcon(file []byte) error {
	if facts, err := picture.Inspect(file); err == nil && tooManyPixels(facts) {
		return &PictureError{picture.ErrTooLarge}
	}
	return nil // decoding will report other faults
}

// drawSVG returns a function that draws a document with the given longer side in pixels, or a smaller one if that takes
// too long.
func (sc *scraping) drawSVG(data []byte) func(context.Context, int) (*image.NRGBA, picture.Facts, error) {
	var mu sync.Mutex // concurrent drawings wouldn't know how much time the others used
	spent := new(svg.Stopwatch)
	return func(ctx context.Context, side int) (*image.NRGBA, picture.Facts, error) {
		mu.Lock()
		defer mu.Unlock()
		img, facts, err := sc.decode(ctx, data, picture.Want{Long: side, Spent: spent})
		if err != nil {
			return nil, facts, &PictureError{err}
		}
		return img, facts, nil
	}
}

// compareIcons orders examined icons, best first; equal ones keep the order of their links.
func compareIcons(a, b Part[IconFile]) int { return slices.Compare(iconKeys(&a), iconKeys(&b)) }

// iconKeys returns the criteria that an icon is ranked by, most important first; lower is better.
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

// formatOrder are the formats of icons in order of preference.
var formatOrder = []picture.Format{
	picture.PNG, picture.SVG, picture.WebP, picture.JPEG, picture.ICO, picture.GIF,
}

// Named reports whether the page, its manifest or the caller names the file; others were found at well-known paths.
func (f *IconFile) Named() bool { return f.Link.Rel != relFavicon && f.Link.Rel != relTouchRoot }

// IsLogo reports whether the page names the file as its logo, in Open Graph or in structured data.
func (f *IconFile) IsLogo() bool { return isLogo(f.Link.Rel) }

// Useful reports whether the file can represent the site at large size: it is large enough, and a logo is square.
func (f *IconFile) Useful() bool {
	return f.Image != nil && (f.Draw != nil || f.side() >= minIconSide) && (f.square() || !isLogo(f.Link.Rel))
}

// side is the shorter one, in pixels. All SVGs count as equal.
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
