package images

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	lru "github.com/hashicorp/golang-lru/v2"

	"masthead/pkg/cleantext"
	"masthead/pkg/etag"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render"
)

// Why a picture is not the one of the page as it is.
const (
	fallbackUpstream = "upstream"
	fallbackBusy     = "busy"
	fallbackHung     = "hung"
)

// How long it is remembered that a page cannot be read, and that it must not. Source: security requirements, "Staying
// up".
const (
	deadFor    = time.Minute
	refusedFor = 5 * time.Minute
	// maxFallbacks bounds what is remembered: at some 40 KB a card, 10 MB.
	maxFallbacks = 256
)

// fallbacks are the cards of pages that could not be read, by the keys of their pictures, for as long as nobody tries
// those again. It is safe for concurrent use.
type fallbacks struct {
	cards *lru.Cache[string, fallbackCard]
	now   func() time.Time
}

// fallbackCard is a card made of an address, or the error for a target that must not be fetched.
type fallbackCard struct {
	render.Picture
	tag    string
	reason string
	err    error
	until  time.Time
}

func newFallbacks(now func() time.Time) *fallbacks {
	cards, err := lru.New[string, fallbackCard](maxFallbacks)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	return &fallbacks{cards: cards, now: now}
}

// find returns the card under key, or the error that is remembered there; known is false when the page is to be read.
func (f *fallbacks) find(key string) (card fallbackCard, known bool, err error) {
	card, known = f.cards.Get(key)
	left := card.until.Sub(f.now())
	if !known || left <= 0 || left > refusedFor { // or the clock went back
		return fallbackCard{}, false, nil
	}
	return card, true, card.err
}

// refuse remembers that the page under key must not be fetched.
func (f *fallbacks) refuse(key string, err error) {
	f.cards.Add(key, fallbackCard{err: err, until: f.now().Add(refusedFor)})
}

// picture is the card as it is served.
func (c fallbackCard) picture(ifNoneMatch string) Picture {
	p := Picture{ETag: c.tag, ContentType: c.ContentType, Fallback: c.reason, Short: true}
	if p.NotModified = etag.Match(ifNoneMatch, p.ETag); !p.NotModified {
		p.Bytes = c.Bytes
	}
	return p
}

// fallback draws a card of the page's address, which is stored nowhere. That of a page which cannot be read, or whose
// picture did not finish, is remembered for as long as nobody tries again.
func (s *Service) fallback(ctx context.Context, j *job, reason, ifNoneMatch string) (Picture, error) {
	card := fallbackCard{reason: reason, until: s.now().Add(deadFor)}
	draw := drawAddress(ofAddress(j.request))
	bounded, cancel := context.WithTimeout(ctx, queueBound+drawBound)
	defer cancel()
	key := j.key + " address"
	if err := errors.Join(s.workers.drawing.Usable(), s.workers.drawing.Check(bounded, key)); err != nil {
		return Picture{}, err
	}
	leave, err := s.workers.join(bounded, j.caller.UserID, false)
	if err != nil {
		return Picture{}, err
	}
	defer leave()
	if card.Picture, err = inWorker(bounded, s.workers, key, draw); err != nil {
		return Picture{}, fmt.Errorf("draw a card of an address: %w", err)
	}
	card.tag = etag.OfDigest(fileDigest(j.request.ProjectID, card.Bytes))
	if reason != fallbackBusy {
		s.fallbacks.cards.Add(j.key, card)
	}
	return card.picture(ifNoneMatch), nil
}

// drawAddress returns what draws the picture of a request that has no page.
func drawAddress(r Request) func(context.Context) (render.Picture, error) {
	site := scrape.Site{URL: r.parsed.page}
	if r.Kind == IconSet {
		icons, _ := composeIcons(r, &site)
		return func(ctx context.Context) (render.Picture, error) { return largestIcon(ctx, icons) }
	}
	card, _ := compose(r, site)
	return func(ctx context.Context) (render.Picture, error) { return render.Draw(ctx, card) }
}

// ofAddress returns a request that says all that is known of its page: its address.
func ofAddress(r Request) Request {
	r.Content = Content{Title: titleOf(r.parsed.page), SiteName: hostOf(r.parsed.page)}
	r.Style.Logo, r.AI = nil, nil
	return r
}

// titleOf makes a title of the last part of an address's path that has a letter in it: "/blog/how-we-began.html" is
// "How we began". Without one it is the host.
func titleOf(u weburl.URL) string {
	parts := strings.Split(u.URL().EscapedPath(), "/")
	for i := len(parts) - 1; i >= 0; i-- {
		part, err := url.PathUnescape(parts[i])
		if err != nil {
			continue
		}
		part = cleantext.Clean(strings.Map(spaced, withoutExtension(part)), cleantext.MaxTitle)
		if strings.IndexFunc(part, unicode.IsLetter) >= 0 && part != "index" {
			first, size := utf8.DecodeRuneInString(part)
			return string(unicode.ToTitle(first)) + part[size:]
		}
	}
	return hostOf(u)
}

// spaced makes a space of what stands for one in addresses.
func spaced(r rune) rune {
	if r == '-' || r == '_' || r == '+' {
		return ' '
	}
	return r
}

// withoutExtension cuts off the kind of a file, such as ".html".
func withoutExtension(name string) string {
	if base, ext, ok := strings.Cut(name, "."); ok && base != "" && len(ext) <= 5 && !strings.Contains(ext, ".") {
		return base
	}
	return name
}
