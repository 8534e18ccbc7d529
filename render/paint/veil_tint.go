package paint

import (
	"encoding/binary"
	"image/color"
)

// Tint makes the ink hide each channel of the picture by another share of its opacity, as a shade does in which light
// of one color remains: shares returns them for a y. It requires a veil whose rows have one opacity each.
func (v *Veil) Tint(shares func(y float64) (r, g, b float64)) {
	v.tint = make([][3]float32, v.rows)
	for j := range v.tint {
		r, g, b := shares(float64(j * veilStep))
		v.tint[j] = [3]float32{float32(r), float32(g), float32(b)}
	}
}

// tintAt returns the shares of a row.
func (v *Veil) tintAt(y int) (t [3]float32) {
	j, f := y/veilStep, float32(y%veilStep)/veilStep
	for i, a := range v.tint[j] {
		t[i] = a + (v.tint[j+1][i]-a)*f
	}
	return t
}

// Tinted returns how much of each channel, out of 256, is hidden where an opacity covers a row.
func (v *Veil) Tinted(cover float64, y int) (parts [3]int32) {
	for i, share := range v.tintAt(min(max(y, 0), v.h-1)) {
		parts[i] = min(int32(cover*float64(share)*256+.5), 256)
	}
	return parts
}

// tintedMix mixes pixels with a tinted ink by the same opacity: for two pixels of the tile of noise, how much of each
// channel they keep, and what is added to it.
type tintedMix [noiseSide / 2]struct{ keep, add [3]uint64 }

// of makes m the mix for a row with an opacity.
func (m *tintedMix) of(a int32, tint [3]float32, ink color.NRGBA, y int) {
	inks, noise := [3]uint8{ink.R, ink.G, ink.B}, noiseRow(y)
	for ch, share := range tint {
		part := min(int32(float32(a)*share), full)
		for i := range m {
			t, u := uint64(noise[2*i]), uint64(noise[2*i+1])
			f := min((uint64(part)+t)>>8, 256)
			m[i].keep[ch], m[i].add[ch] = 256-f, uint64(inks[ch])*f*both+t+u<<32
		}
	}
}

// mix mixes the pixels of a row from x0 on.
func (m *tintedMix) mix(d, s []uint8, x0 int) {
	i := x0 % noiseSide / 2
	if x0%2 > 0 && len(d) >= 4 {
		m.one(d, s, i, 32)
		d, s, i = d[4:], s[4:], (i+1)%len(m)
	}
	for ; i > 0 && len(d) >= 8 && len(s) >= 8; i = (i + 1) % len(m) {
		m.pair(d, s, i)
		d, s = d[8:], s[8:]
	}
	for len(d) >= 4*noiseSide && len(s) >= 4*noiseSide {
		to, from := (*[4 * noiseSide]uint8)(d), (*[4 * noiseSide]uint8)(s)
		for i := range m {
			m.pair(to[8*i:], from[8*i:], i)
		}
		d, s = d[4*noiseSide:], s[4*noiseSide:]
	}
	for ; len(d) >= 8 && len(s) >= 8; i++ {
		m.pair(d, s, i)
		d, s = d[8:], s[8:]
	}
	if len(d) >= 4 && len(s) >= 4 {
		m.one(d, s, i%len(m), 0)
	}
}

// one mixes a pixel: the first of a pair, or the second, that is shift bits later.
func (m *tintedMix) one(d, s []uint8, i, shift int) {
	for ch := range 3 {
		d[ch] = uint8((uint64(s[ch])*m[i].keep[ch] + m[i].add[ch]>>shift&0xffff) >> 8)
	}
	d[3] = 255
}

// pair mixes two pixels.
func (m *tintedMix) pair(d, s []uint8, i int) {
	const lane = 0x0000_00ff_0000_00ff
	by, p := &m[i], binary.LittleEndian.Uint64(s)
	r := (((p&lane)*by.keep[0] + by.add[0]) >> 8) & lane
	g := (((p>>8)&lane)*by.keep[1] + by.add[1]) & (lane << 8)
	b := ((((p>>16)&lane)*by.keep[2] + by.add[2]) >> 8 & lane) << 16
	binary.LittleEndian.PutUint64(d, r|g|b|0xff00_0000_ff00_0000)
}
