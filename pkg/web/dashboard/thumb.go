package dashboard

import (
	"net/url"
	"strings"

	"masthead/gen"
)

// thumb is a small picture of an image. Wide means that it is cropped to fill its frame: icons aren't.
type thumb struct {
	Path, URL, Alt string
	Wide           bool
}

func thumbOf(of gen.Image) thumb {
	return thumb{
		Path: imagePath(of.Id.String()), URL: local(of.ImageUrl), Alt: of.Alt, Wide: of.Kind != gen.ImageKindIconSet,
	}
}

// local returns the address of a picture at this server, so that the policy of pages needs no other origin: /cdn is
// here even if a cache in front of it has an address of its own.
func local(address string) string {
	if u, err := url.Parse(address); err == nil && strings.HasPrefix(u.Path, "/cdn/") {
		return u.RequestURI()
	}
	return address
}
