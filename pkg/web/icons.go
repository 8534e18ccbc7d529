package web

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"masthead/pkg/etag"
	"masthead/render"
	"masthead/render/encode"
)

// Addresses of the program's own pictures and texts.
const (
	cardPath    = "/card.png"
	faviconPath = "/favicon.ico"
	applePath   = "/apple-touch-icon.png"
	largePath   = "/icon-512.png"
	robotsPath  = "/robots.txt"
)

var ownPaths = []string{cardPath, faviconPath, applePath, largePath, robotsPath}

// Sizes of the program's own icons, in pixels: for Apple's home screens, for everything larger, and for tabs and
// bookmarks.
const (
	appleSide = 180
	largeSide = 512
)

var faviconSides = []int{16, 32, 48}

// robots allows all crawlers: those that show previews obey it too, and must reach /og and /cdn.
const robots = "User-agent: *\nDisallow:\n"

// Texts of the card and the head of the landing page.
const (
	ownName        = "Masthead"
	ownTitle       = "A face for every page"
	ownDescription = "Send the address of a web page and get back the picture that represents it wherever it is shared."
)

// ownAssets are the program's own card, icons and texts.
type ownAssets struct {
	card    render.Card
	version string // of the card, which changes when it does
	samples []sample
	files   map[string]ownFile
}

// ownFile is one of them as served.
type ownFile struct {
	contentType, etag string
	data              []byte
}

// drawOwn draws them. The same program always draws the same ones.
func drawOwn(ctx context.Context) (*ownAssets, error) {
	card, err := render.Draw(ctx, render.Request{
		Texts: render.Texts{
			Title: ownTitle, Description: ownDescription, DescriptionGiven: true, SiteName: ownName,
		},
		Font: "instrument-serif", Accent: spot, Pictures: render.Pictures{Icon: mark(128)},
	})
	if err != nil {
		return nil, fmt.Errorf("draw the program's own card: %w", err)
	}
	own := &ownAssets{card: card, version: strings.Trim(etag.Of(card.Bytes), `"`)[:12], files: map[string]ownFile{}}
	add := func(path, contentType string, data []byte) {
		own.files[path] = ownFile{contentType, etag.Of(data), data}
	}
	add(cardPath, card.ContentType, card.Bytes)
	add(robotsPath, "text/plain; charset=utf-8", []byte(robots))
	icons := map[int][]byte{}
	for _, side := range append([]int{appleSide, largeSide}, faviconSides...) {
		p, err := encode.PNG(mark(side))
		if err != nil {
			return nil, fmt.Errorf("draw the icon of %d pixels: %w", side, err)
		}
		icons[side] = p.Bytes
	}
	add(applePath, "image/png", icons[appleSide])
	add(largePath, "image/png", icons[largeSide])
	add(faviconPath, "image/x-icon", ico(faviconSides, icons))
	return own, own.drawSamples(ctx)
}

// ownFile serves one of the program's own files.
func (p *Pages) ownFile(c echo.Context) error {
	own, err := p.own.get(c.Request().Context())
	if err != nil {
		return err
	}
	f := own.files[c.Path()]
	return serve(c, f.contentType, "public, max-age=86400", f.etag, f.data)
}

// ico packs square PNGs, of fewer than 256 pixels per side, into a favicon.ico. Source: Microsoft, "Icons": ICONDIR and
// ICONDIRENTRY. All current browsers support PNGs in it.
func ico(sides []int, pngs map[int][]byte) []byte {
	const header, entry = 6, 16
	le := binary.LittleEndian
	count := uint16(len(sides))
	b := le.AppendUint16(le.AppendUint16(le.AppendUint16(nil, 0), 1), count)
	offset := header + entry*len(sides)
	for _, side := range sides {
		size := len(pngs[side])
		b = append(b, byte(side), byte(side), 0, 0)    // width and height; no palette
		b = le.AppendUint16(le.AppendUint16(b, 1), 32) // planes, bits per pixel
		b = le.AppendUint32(b, uint32(size))
		b = le.AppendUint32(b, uint32(offset))
		offset += size
	}
	out := bytes.NewBuffer(b)
	for _, side := range sides {
		out.Write(pngs[side])
	}
	return out.Bytes()
}
