package card

import (
	"crypto/sha256"
	"image"
	"time"

	"masthead/pkg/scrape"
	"masthead/render/cache"
)

// This file keeps what was read of pages for previews: a design that one is working on is measured and drawn again and
// again with the same page.

const (
	// keptTime is how long a page is used again.
	keptTime = 30 * time.Second
	// keptBytes bounds the memory of kept pages, and leastKept is what each is counted as at least: so there are at most
	// 512.
	keptBytes = 32 << 20
	leastKept = 64 << 10
	// pageFactor is how much memory a parsed page takes for each byte of its document, about.
	pageFactor = 4
)

// keptPages are pages that were read for an account. It is safe for concurrent use; nil keeps none.
type keptPages struct {
	now   func() time.Time
	pages *cache.Shared[keptKey, keptPage]
}

// keptKey is all that reading a page depends on.
type keptKey struct {
	owner, page, favicon, logo string
	logoFile, iconFile         [sha256.Size]byte
	essential, colors, sheet   bool
	photo, portrait            int
	photoTime                  time.Duration
}

type keptPage struct {
	site scrape.Result
	at   time.Time
}

// KeepPages makes the maker use what it has read of a page again for half a minute, for the same account. now is the
// clock. It must be called before anything else.
func (m *Maker) KeepPages(now func() time.Time) *Maker {
	m.kept = &keptPages{now, cache.NewShared(keptBytes, func(_ keptKey, p keptPage) int { return sizeOfSite(&p.site) })}
	return m
}

// find returns what was read for a request, if that is recent.
func (k *keptPages) find(r Request) (site scrape.Result, ok bool) {
	if k == nil || !r.isKept() {
		return site, false
	}
	found, ok := k.pages.Get(keyOfPage(r))
	if !ok || k.now().Sub(found.at).Abs() >= keptTime {
		return site, false
	}
	return found.site, true
}

// keep keeps what was read for a request, which nothing is missing of.
func (k *keptPages) keep(r Request, site scrape.Result) {
	if k != nil && r.isKept() && site.Page.Err == nil && !site.PhotoLate && !site.SVGMissed {
		k.pages.Put(keyOfPage(r), keptPage{site, k.now()})
	}
}

// isKept reports whether a request reads a page, which may have been read before.
func (r Request) isKept() bool { return !r.Own.NoPage && !r.Own.Fresh && r.Kind != IconSet }

func keyOfPage(r Request) keptKey {
	need := r.need()
	key := keptKey{
		owner: r.Own.Owner, page: r.parsed.page.String(), favicon: r.parsed.favicon.String(),
		iconFile: sha256.Sum256(need.Icon.Data), essential: need.PageEssential, colors: need.Colors,
		sheet: need.Stylesheet, photo: need.PhotoSide, portrait: need.PortraitSide, photoTime: need.PhotoTime,
	}
	for _, p := range need.Pictures { // at most the logo
		key.logo, key.logoFile = p.URL.String(), sha256.Sum256(p.Data)
	}
	return key
}

// sizeOfSite is about how many bytes of memory a site takes.
func sizeOfSite(s *scrape.Result) int {
	n := leastKept
	add := func(img *image.NRGBA) {
		if img != nil {
			n += len(img.Pix)
		}
	}
	if s.Page.Got() {
		n += pageFactor * s.Page.Value.Bytes
	}
	add(s.Icon.Value.Image)
	add(s.Photo.Value.Image)
	add(s.Portrait.Value.Image)
	for i := range s.Pictures {
		add(s.Pictures[i].Value.Image)
	}
	return n
}
