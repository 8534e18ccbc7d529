package palette

import (
	"crypto/sha256"
	"encoding/binary"
	"image/color"
)

// FromHost is the source of an accent that nothing on the page tells: see [OfHost].
const FromHost Source = "host"

// hostAccents are the accents of sites that show no color of their own. Neighbors are 18 to 62 degrees of hue apart;
// all but amber take white text.
var hostAccents = [...]color.NRGBA{
	RGB(0x2F5BEA), RGB(0x8B3FE0), RGB(0xB832A0), RGB(0xD6295E), RGB(0xDF4A26), RGB(0xE0930F), RGB(0x4E821A),
	RGB(0x0A8A5F), RGB(0x0E8C9C), RGB(0x0B7FD1),
}

// OfHost returns the accent of a site that shows no color of its own, from the registrable domain of its host, in lower
// case, or else its name: one site has one color, on every subdomain and every day. Without a name it is
// [DefaultAccent].
func OfHost(domain string) color.NRGBA {
	if domain == "" {
		return DefaultAccent
	}
	sum := sha256.Sum256([]byte(domain))
	return hostAccents[binary.BigEndian.Uint32(sum[:4])%uint32(len(hostAccents))]
}
