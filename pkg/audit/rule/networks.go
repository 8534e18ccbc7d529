package rule

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"masthead/pkg/platform"
)

// Networks is a set of the large networks, whose previews limit the score. WhatsApp counts as Facebook's.
type Networks uint8

// The large networks, alone and together.
const (
	onFacebook Networks = 1 << iota
	OnX
	onLinkedIn

	Nowhere     Networks = 0
	OnFacebooks          = onFacebook | onLinkedIn // the networks that read Open Graph alone
	Everywhere           = onFacebook | OnX | onLinkedIn
)

// Count returns how many networks there are.
func (n Networks) Count() int { return bits.OnesCount8(uint8(n)) }

// previewer is a platform of a large network.
type previewer struct {
	*platform.Platform
	of Networks
}

// previewersOf are the platforms of the large networks.
var previewersOf = sync.OnceValue(func() (all []previewer) {
	of := map[string]Networks{"facebook": onFacebook, "whatsapp": onFacebook, "x": OnX, "linkedin": onLinkedIn}
	platforms := platform.All()
	for i := range platforms {
		if n, ok := of[platforms[i].ID]; ok {
			all = append(all, previewer{&platforms[i], n})
		}
	}
	return all
})

// Hides marks that networks show no picture, or nothing but the address, because of what was found.
func (v Verdict) Hides(n Networks) Verdict {
	if v.Credit < 1 {
		v.Hidden = n
	}
	return v
}

// Refusing returns which of the networks don't show a picture for the given reason, by the data of their platforms.
func (f *Facts) Refusing(image *ShareImage, among Networks, why platform.Refusal) Networks {
	if image == nil || !image.File.Asked {
		return Nowhere
	}
	found := platform.ShareImage{Fault: image.File.Fault}
	if image.File.Measured() {
		facts := &image.File.Facts
		found.Width, found.Height, found.Bytes = facts.Width, facts.Height, image.File.Size
		found.Format = facts.Format.String()
	}
	refusing, card := Nowhere, f.CardOfX()
	for _, p := range previewersOf() {
		if p.of&among != 0 && p.Refuses(&found, card) == why {
			refusing |= p.of
		}
	}
	return refusing
}

// Unread returns the networks that stop reading the HTML before its picture, or its only title.
func (f *Facts) Unread() Networks {
	image, title := 0, 0
	for i := range f.Page.Meta {
		switch pair := &f.Page.Meta[i]; {
		case image == 0 && strings.HasPrefix(pair.Key, "og:image"):
			image = pair.End
		case title == 0 && pair.Key == "og:title" && len(f.Titles) == 0:
			title = pair.End
		}
	}
	unread := Nowhere
	for _, p := range previewersOf() {
		if p.of != OnX && !(p.Reads(image) && p.Reads(title)) {
			unread |= p.of
		}
	}
	return unread
}

// Asking returns the networks whose crawlers are among those with the given product tokens.
func Asking(tokens []string) Networks {
	of := Nowhere
	for _, p := range previewersOf() {
		if slices.Contains(tokens, p.Crawler.Token) {
			of |= p.of
		}
	}
	return of
}
