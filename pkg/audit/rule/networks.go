package rule

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"masthead/pkg/platform"
)

// networks is a set of the large networks, whose previews limit the score. WhatsApp counts as Facebook's.
type networks uint8

const (
	onFacebook networks = 1 << iota
	onX
	onLinkedIn

	nowhere     networks = 0
	onFacebooks          = onFacebook | onLinkedIn // the networks that read Open Graph alone
	everywhere           = onFacebook | onX | onLinkedIn
)

// count returns how many networks there are.
func (n networks) count() int { return bits.OnesCount8(uint8(n)) }

// previewer is a platform of a large network.
type previewer struct {
	*platform.Platform
	of networks
}

// previewersOf are the platforms of the large networks.
var previewersOf = sync.OnceValue(func() (all []previewer) {
	of := map[string]networks{"facebook": onFacebook, "whatsapp": onFacebook, "x": onX, "linkedin": onLinkedIn}
	platforms := platform.All()
	for i := range platforms {
		if n, ok := of[platforms[i].ID]; ok {
			all = append(all, previewer{&platforms[i], n})
		}
	}
	return all
})

// hides marks that networks show no picture, or nothing but the address, because of what was found.
func (v verdict) hides(n networks) verdict {
	if v.credit < 1 {
		v.hidden = n
	}
	return v
}

// refusing returns which of the networks don't show a picture for the given reason, by the data of their platforms.
func (f *facts) refusing(image *shareImage, among networks, why platform.Refusal) networks {
	if image == nil || !image.file.asked {
		return nowhere
	}
	found := platform.Picture{Fault: image.file.fault}
	if image.file.measured() {
		facts := &image.file.facts
		found.Width, found.Height, found.Bytes = facts.Width, facts.Height, image.file.size
		found.Format = facts.Format.String()
	}
	refusing, card := nowhere, f.cardOfX()
	for _, p := range previewersOf() {
		if p.of&among != 0 && p.Refuses(&found, card) == why {
			refusing |= p.of
		}
	}
	return refusing
}

// unread returns the networks that stop reading the HTML before its picture, or its only title.
func (f *facts) unread() networks {
	image, title := 0, 0
	for i := range f.page.Meta {
		switch pair := &f.page.Meta[i]; {
		case image == 0 && strings.HasPrefix(pair.Key, "og:image"):
			image = pair.End
		case title == 0 && pair.Key == "og:title" && len(f.titles) == 0:
			title = pair.End
		}
	}
	unread := nowhere
	for _, p := range previewersOf() {
		if p.of != onX && !(p.Reads(image) && p.Reads(title)) {
			unread |= p.of
		}
	}
	return unread
}

// asking returns the networks whose crawlers are among those with the given product tokens.
func asking(tokens []string) networks {
	of := nowhere
	for _, p := range previewersOf() {
		if slices.Contains(tokens, p.Crawler.Token) {
			of |= p.of
		}
	}
	return of
}
