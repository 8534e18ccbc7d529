package page

import "strings"

// OGImage is one og:image with its properties, as written.
type OGImage struct {
	// Src is og:image or og:image:url; SecureURL is og:image:secure_url.
	Src, SecureURL           string
	Width, Height, Type, Alt string
	// URL is the usable one of the two, as an absolute address, or "".
	URL string
}

// ogImages groups the pairs into objects. og:image begins an object, and so does og:image:url unless it repeats the
// address of the last one; all other properties belong to the last object.
func (p *Page) ogImages() {
	for i := range p.Meta {
		pair := &p.Meta[i]
		prop, ok := strings.CutPrefix(pair.Key, "og:image")
		if !ok {
			continue
		}
		n := len(p.Images)
		switch prop {
		case "", ":url":
			if prop == ":url" && n > 0 && p.sameAddress(p.Images[n-1].Src, pair.address()) {
				continue
			}
			if n == maxImages {
				p.resolveImages()
				return
			}
			p.Images = append(p.Images, OGImage{Src: pair.address()})
			continue
		case ":secure_url", ":width", ":height", ":type", ":alt":
		default:
			continue
		}
		if n == 0 {
			p.Images = append(p.Images, OGImage{})
			n = 1
		}
		image := &p.Images[n-1]
		if field := image.field(prop); *field == "" {
			*field = pair.Value
			if prop == ":secure_url" {
				*field = pair.address()
			}
		}
	}
	p.resolveImages()
}

// field returns the field of the named property.
func (o *OGImage) field(prop string) *string {
	switch prop {
	case ":secure_url":
		return &o.SecureURL
	case ":width":
		return &o.Width
	case ":height":
		return &o.Height
	case ":type":
		return &o.Type
	}
	return &o.Alt
}

// sameAddress reports whether two references resolve to the same address.
func (p *Page) sameAddress(a, b string) bool {
	if a == b {
		return true
	}
	x, ok := p.Resolve(a)
	y, same := p.Resolve(b)
	return ok && same && x == y
}

// resolveImages sets the usable address of each object: its own or the secure one, https before http.
func (p *Page) resolveImages() {
	for i := range p.Images {
		image := &p.Images[i]
		own, _ := p.Resolve(image.Src)
		secure, _ := p.Resolve(image.SecureURL)
		switch {
		case strings.HasPrefix(own, "https:") || secure == "":
			image.URL = own
		case strings.HasPrefix(secure, "https:") || own == "":
			image.URL = secure
		default:
			image.URL = own
		}
	}
}
