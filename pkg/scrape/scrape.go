// Package scrape collects facts about an address: the page, its manifest, its first style sheet, its icon (chosen and
// decoded), the facts of its share images, and its colors with their sources.
//
// A caller states in a [Need] what it wants; nothing else is fetched. All requests of one [Scraper.Scrape] are one
// fetching job with one limit of time and of requests. The result is a plain value, a [Result], which says for each
// part whether it was found, and otherwise why not. The caller decides what a missing part means (an error, a card
// without an icon).
//
// To collect something new, add a field to Need, a [Part] to Result and a method of scraping that fills it in from the
// page; if it needs a new kind of request, add a resource to pkg/fetch first.
package scrape

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/weburl"
	"masthead/pkg/worker"
)

// Need says what to collect about an address. The zero value requests the page and what its markup says, which is
// enough for a preview.
type Need struct {
	// Owner is the ID of the user whose work this is; see [fetch.Job].
	Owner string
	// Kept caches responses that several of these jobs share, or is nil for the client's; see [fetch.Memory].
	Kept *fetch.Memory
	// NoPage skips the page and everything that depends on it: only the pictures that the caller names remain.
	NoPage bool
	// PageEssential stops everything else if there is no page: see [Result.Fault].
	PageEssential bool
	// AnyStatus accepts an HTML document with any status as the page, as audits do. Otherwise the status must be below
	// 300.
	AnyStatus bool
	// Icon requests the site's icon.
	Icon IconNeed
	// Icons requests all candidates for the site's icon, up to 5 of them examined. An icon named by Icon replaces them
	// all.
	Icons bool
	// Purposes requests the icons that the site has for one purpose, unless Icon names another.
	Purposes bool
	// Patience is the minimum time that an SVG waits for the engine that draws it: see [picture.Want].
	Patience time.Duration
	// Colors requests the colors of the page, its manifest and its icon (if requested). Stylesheet also reads the first
	// style sheet if no accent is found otherwise.
	Colors, Stylesheet bool
	// Signals requests all that [SignalsOf] uses: the icons and colors, and for these the manifest, the first style sheet
	// and the pixels of the share image, unconditionally.
	Signals bool
	// ShareImages requests the facts of the page's share images, of which only the headers are read.
	ShareImages bool
	// ShownSide and FaviconSide, if above 0, also request the pixels of the share images and of the favicon, if they can
	// be decoded, scaled to fit a square of that side in pixels. They require ShareImages and Favicon.
	ShownSide, FaviconSide int
	// ShownLater is the maximum size, in bytes, of a share image that isn't decoded now: [ShareImage.File] has the file,
	// and [Scraper.Shown] its pixels. It requires ShownSide; 0 means none.
	ShownLater int
	// Shows, if not nil, reports whether anything shows a share image whose header was read; if not, the rest of it isn't
	// read. Its argument has only the page and that picture. It requires ShownSide.
	Shows func(*Result) bool
	// PhotoSide and PortraitSide, if above 0, request the page's own picture and its author's, decoded and scaled to fit a
	// square of that side in pixels.
	PhotoSide, PortraitSide int
	// PhotoTime is how long the page's own picture is waited for once the page was read; 0 means as long as for
	// everything else. See [Result.PhotoLate].
	PhotoTime time.Duration
	// Robots requests the site's robots.txt, Favicon the facts of the preview's icon, Canonical the target of the page's
	// canonical address if it is another one, Alternates whether the page's language versions link back to it.
	Robots, Favicon, Canonical, Alternates bool
	// Agents requests what AI agents look for beside the page: llms.txt and the page as Markdown. They aren't requested
	// for a page with more than three other language versions, which take the requests of a job.
	Agents bool
	// OEmbed requests whether the address of the page's oEmbed answers.
	OEmbed bool
	// Pictures are other pictures to fetch and decode, such as a logo. They are fetched concurrently with the page.
	Pictures []PictureNeed
	// OnStep, if not nil, is called with each step of progress, by one goroutine at a time.
	OnStep func(Step)
}

// Scraper collects facts about addresses. It is safe for concurrent use.
type Scraper struct {
	client  *fetch.Client
	decoder *picture.Decoder
	workers *worker.Pool
	icons   *iconCache
	recent  *recentIcons
}

// New returns a scraper that fetches with client and decodes with decoder. A reading that doesn't finish counts as a
// lost worker of workers; nil means a pool of its own.
func New(client *fetch.Client, decoder *picture.Decoder, workers *worker.Pool) *Scraper {
	if workers == nil {
		workers = worker.New(worker.Config{Name: readStage})
	}
	return &Scraper{
		client: client, decoder: decoder, workers: workers, icons: newIconCache(), recent: newRecentIcons(),
	}
}

// scraping is one running job.
type scraping struct {
	*Scraper
	job      *fetch.Job
	need     Need
	site     *Result // each part is written by one goroutine
	giveUp   context.CancelFunc
	fault    sync.Once
	steps    sync.Mutex
	ended    bool        // no more steps are reported; guarded by steps
	missed   atomic.Bool // see [Result.SVGMissed]
	readings readings
	// favicons waits for the preview's icon, whose colors count if no other icon is requested.
	favicons sync.WaitGroup
}

// scrape does the work of [Scraper.Scrape].
func (sc *scraping) scrape(ctx context.Context) Result {
	job, done := sc.client.NewJob(ctx)
	defer done()
	job.Owner, job.Kept = sc.need.Owner, sc.need.Kept
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sc.job, sc.giveUp = job, cancel
	site, need := sc.site, sc.need
	var work sync.WaitGroup
	for i, wanted := range need.Pictures {
		work.Go(func() {
			site.Pictures[i] = settle(func() (Picture, error) { return sc.picture(ctx, wanted) })
			if wanted.Essential {
				sc.essential(site.Pictures[i].Err)
			}
		})
	}
	work.Go(func() {
		if !need.NoPage {
			site.Page = settle(func() (Document, error) { return sc.page(ctx) })
		}
		if need.PageEssential {
			sc.essential(site.Page.Err)
		}
		if ctx.Err() == nil {
			sc.besidePage(ctx)
		}
	})
	work.Wait()
	site.SVGMissed = sc.missed.Load()
	return *site
}

// decode decodes a file for a part of the site.
func (sc *scraping) decode(
	ctx context.Context, file []byte, want picture.Want) (*image.NRGBA, picture.Facts, error) {
	want.Patience = sc.need.Patience
	img, facts, err := sc.decoder.Decode(ctx, file, want)
	if errors.Is(err, picture.ErrNotReady) {
		sc.missed.Store(true)
	}
	return img, facts, err
}

// besidePage fills in the parts that depend on the page. Without a page that is only the caller's own icon, if any.
func (sc *scraping) besidePage(ctx context.Context) {
	site, need := sc.site, sc.need
	var work sync.WaitGroup
	defer work.Wait()
	if need.ShareImages && site.Page.Got() {
		addresses := settle(func() ([]string, error) { return sc.shareAddresses(), nil }).Value
		site.ShareImages = make([]Part[ShareImage], len(addresses))
		for i, address := range addresses {
			work.Go(func() {
				site.ShareImages[i] = settle(func() (ShareImage, error) { return sc.shareImage(ctx, address) })
			})
		}
	}
	if need.PhotoSide > 0 && site.Page.Got() {
		work.Go(func() { sc.photoInTime(ctx) })
	}
	if need.PortraitSide > 0 && site.Page.Got() {
		work.Go(func() { site.Portrait = settle(func() (Picture, error) { return sc.portrait(ctx) }) })
	}
	defer sc.favicons.Wait()
	sc.links(ctx, &work)
	var looks sync.WaitGroup // sources of colors other than the icon
	if need.Signals && site.Page.Got() {
		looks.Go(func() { site.Stylesheet = settle(func() (page.Style, error) { return sc.stylesheet(ctx) }) })
		looks.Go(func() { site.SharePicture = settle(func() (SharePicture, error) { return sc.sharePicture(ctx) }) })
	}
	if sc.wantsManifest() {
		site.Manifest = settle(func() (page.Manifest, error) { return sc.manifest(ctx) })
	}
	if need.Purposes && need.Icon.Data == nil && need.Icon.First.IsZero() && site.Page.Got() {
		looks.Go(func() { site.Maskable = settle(func() (IconFile, error) { return sc.maskable(ctx) }) })
		looks.Go(func() { site.MaskIcon = settle(func() (IconFile, error) { return sc.maskIcon(ctx) }) })
	}
	if need.Icons || need.Signals {
		site.Icons = settle(func() ([]Part[IconFile], error) { return sc.siteIcons(ctx), nil }).Value
	}
	if need.Icon.Side > 0 {
		site.Icon = settle(func() (Icon, error) { return sc.icon(ctx) })
	}
	looks.Wait()
	sc.favicons.Wait()
	if need.Colors || need.Signals {
		site.Colors = settle(func() ([]Color, error) { return sc.colors(ctx) })
	}
}

// essential records the first failure of an essential part and cancels the rest.
func (sc *scraping) essential(err error) {
	if err == nil {
		return
	}
	sc.fault.Do(func() { sc.site.Fault = err })
	sc.giveUp()
}

// settle turns the result of get into a part. A panic of get fails the part: untrusted content is parsed here, in
// goroutines where a panic would end the program.
func settle[T any](get func() (T, error)) (part Part[T]) {
	defer func() {
		if v := recover(); v != nil {
			part = Part[T]{State: Failed, Err: fmt.Errorf("panic: %v\n%s", v, debug.Stack())}
		}
	}()
	value, err := get()
	switch {
	case err == nil:
		return Part[T]{Value: value, State: Got}
	case errors.Is(err, errAbsent):
		return Part[T]{State: Absent}
	case errors.Is(err, fetch.ErrRefused):
		return Part[T]{Value: value, State: Refused, Err: err}
	}
	return Part[T]{Value: value, State: Failed, Err: err}
}

// errAbsent is returned for a part that the site does not have.
var errAbsent = errors.New("absent")

// page fetches and parses the page.
func (sc *scraping) page(ctx context.Context) (Document, error) {
	response, err := sc.job.Get(ctx, sc.site.URL, fetch.Page)
	if err != nil {
		return Document{}, err
	}
	sc.tell(Step{Kind: PageAnswered, URL: response.URL, Status: response.Status, Size: response.Size})
	class := page.ClassOf(response.ContentType)
	says := class == page.PageContent && response.Size > 0 // an error without a body has no content
	if err := response.Err(); err != nil && !(sc.need.AnyStatus && says) {
		return Document{}, err
	}
	document := Document{
		URL: response.URL, Status: response.Status, Header: response.Header, Redirects: response.Redirects,
		Size: response.Size, Truncated: response.Truncated, Broken: response.Broken,
	}
	switch class {
	case page.PageContent:
		document.Page = page.Parse(response.Body, response.ContentType, response.URL.URL())
	case page.ImageContent:
		document.Page = page.FromImage(response.ContentType, response.URL.URL())
	default:
		return Document{}, apperr.New(apperr.UpstreamFailed,
			"There is no web page at this address: it answers with "+describeType(response.ContentType)+".")
	}
	document.Texts = TextsOf(document.Page)
	sc.tell(Step{Kind: PageRead, URL: document.URL, Status: document.Status, Size: document.Size})
	return document, nil
}

// describeType returns a content type for an error message, cut to a reasonable length.
func describeType(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	if media = cleantext.Clean(media, 60); media == "" {
		return "no content type"
	}
	return media
}

// wantsManifest reports whether the web app manifest may have what the page itself lacks: a color or an icon. For an
// audit, it may also say that the share image is an icon.
func (sc *scraping) wantsManifest() bool {
	if !sc.site.Page.Got() {
		return false
	}
	p := sc.site.Page.Value.Page
	return sc.need.Icons || sc.need.Signals || sc.need.Colors && len(p.Brand.ThemeColors) == 0 ||
		sc.need.Icon.Side > 0 && len(p.Icons) == 0 || sc.need.ShareImages && sc.need.Favicon && sharesIcon(p)
}

// iconName matches file names that icons of web app manifests usually have.
var iconName = regexp.MustCompile(`(?i)icon|logo|android|chrome|maskable|pwa|[0-9]{2,4}\.[a-z]+$`)

// sharesIcon reports whether a page's share image may be an icon: a square one, or one of unknown size that is named
// like an icon.
func sharesIcon(p *page.Page) bool {
	image := p.ShareImage()
	if image == nil || image.Width != image.Height {
		return false
	}
	return image.Width != "" || iconName.MatchString(path.Base(image.URL))
}

// manifest fetches and parses the web app manifest.
func (sc *scraping) manifest(ctx context.Context) (page.Manifest, error) {
	response, err := sc.getLinked(ctx, sc.site.Page.Value.Manifest, fetch.Manifest)
	if err != nil {
		return page.Manifest{}, err
	}
	return page.ParseManifest(response.Body, response.URL.URL())
}

// stylesheet fetches and reads the first style sheet.
func (sc *scraping) stylesheet(ctx context.Context) (page.Style, error) {
	response, err := sc.getLinked(ctx, sc.site.Page.Value.Stylesheet, fetch.Stylesheet)
	if err != nil {
		return page.Style{}, err
	}
	return page.ReadStyle(response.Body), nil
}

// getLinked fetches something that the page links to, or returns errAbsent if the page has no such link.
func (sc *scraping) getLinked(ctx context.Context, address string, resource fetch.Resource) (*fetch.Response, error) {
	if address == "" {
		return nil, errAbsent
	}
	u, err := readLink(address)
	if err != nil {
		return nil, err
	}
	return sc.get(ctx, u, resource)
}

// readLink parses an address from the page or its manifest. Pages keep addresses as strings, resolved as browsers and
// previews do, since that is what a preview shows and an audit judges. What we fetch is parsed by our own rules, here
// and nowhere else.
func readLink(address string) (weburl.URL, error) { return weburl.Parse(address) }

// get fetches u; a status of 300 and above is an error.
func (sc *scraping) get(ctx context.Context, u weburl.URL, resource fetch.Resource) (*fetch.Response, error) {
	response, err := sc.job.Get(ctx, u, resource)
	if err != nil {
		return nil, err
	}
	return response, response.Err()
}
