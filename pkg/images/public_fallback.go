package images

import (
	"context"
	"errors"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/card"
	"masthead/pkg/etag"
	"masthead/pkg/files"
	"masthead/render"
)

// Why a picture is not the one of the page as it is.
const (
	fallbackUpstream = "upstream"
	fallbackBusy     = "busy"
	fallbackHung     = "hung"
	fallbackRobot    = "crawler"
	fallbackDesign   = "design" // the project's own design can't be drawn for the page
)

// How long it is remembered that a page cannot be read, and that it must not (docs/security.md, Availability).
const (
	deadFor    = time.Minute
	refusedFor = 5 * time.Minute
	// maxFallbacks bounds what is remembered: at some 40 KB a card, 10 MB.
	maxFallbacks = 256
)

// fallbacks are the cards of pages that could not be read, by the keys of their pictures, for as long as nobody tries
// those again. It is safe for concurrent use.
type fallbacks struct {
	cards simplelru.LRUCache[string, fallbackCard]
	now   func() time.Time
}

// fallbackCard is a card made of an address, or the error for a target that must not be fetched.
type fallbackCard struct {
	render.Card
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
func (c fallbackCard) picture(ifNoneMatch string) Response {
	p := Response{ETag: c.tag, ContentType: c.ContentType, Fallback: c.reason, Short: true}
	if p.NotModified = etag.Match(ifNoneMatch, p.ETag); !p.NotModified {
		p.Bytes = c.Bytes
	}
	return p
}

// fallback draws a card of the page's address, which is stored nowhere. That of a page which cannot be read, or whose
// picture did not finish, is remembered for as long as nobody tries again.
func (s *Service) fallback(ctx context.Context, j *job, reason, ifNoneMatch string) (Response, error) {
	drawn := fallbackCard{reason: reason, until: s.now().Add(deadFor)}
	if reason == fallbackRobot {
		drawn.until = s.now().Add(refusedFor)
	}
	bounded, cancel := context.WithTimeout(ctx, queueBound+card.DrawBound)
	defer cancel()
	key := j.key + " address"
	if err := errors.Join(s.workers.Drawing.Usable(), s.workers.Drawing.Check(bounded, key)); err != nil {
		return Response{}, err
	}
	leave, err := s.workers.Join(bounded, j.caller.UserID, false)
	if err != nil {
		return Response{}, err
	}
	defer leave()
	if drawn.Card, err = s.maker.DrawAddress(bounded, key, j.request.Request); err != nil {
		return Response{}, err
	}
	drawn.tag = etag.OfDigest(files.Digest(j.request.ProjectID, drawn.Bytes))
	if reason != fallbackBusy {
		s.memory.cards.cards.Add(j.key, drawn)
	}
	return drawn.picture(ifNoneMatch), nil
}
