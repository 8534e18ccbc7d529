package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

const (
	icoHeader = 6  // reserved, type, count
	icoEntry  = 16 // one entry of the directory
)

// icon is an ICO entry whose header was read and is within limits.
type icon struct {
	plan plan
	bits int // bits per pixel, a measure of quality
}

// icoEntries returns the bytes of each directory entry that lies within data, at most maxEntries.
func icoEntries(data []byte) [][]byte {
	if len(data) < icoHeader {
		return nil
	}
	count := min(int(binary.LittleEndian.Uint16(data[4:])), maxEntries)
	var entries [][]byte
	for i := 0; i < count && len(data) >= icoHeader+icoEntry*(i+1); i++ {
		line := data[icoHeader+icoEntry*i:]
		size, offset := int64(binary.LittleEndian.Uint32(line[8:])), int64(binary.LittleEndian.Uint32(line[12:]))
		if size == 0 || offset < icoHeader+icoEntry || offset+size > int64(len(data)) {
			continue
		}
		entries = append(entries, data[offset:offset+size])
	}
	return entries
}

// planIcon plans one entry, a PNG or a DIB.
func planIcon(entry []byte) (icon, error) {
	if bytes.HasPrefix(entry, []byte(pngMagic)) {
		head, err := readPNG(entry)
		if err != nil {
			return icon{}, err
		}
		p, err := planPNG(entry, Want{})
		return icon{p, head.depth * head.samples()}, err
	}
	dib, err := readDIB(entry)
	if err != nil {
		return icon{}, err
	}
	return icon{dib.plan(), dib.bits}, nil
}

// planICO plans the best entry: the smallest one whose shorter side is at least want.Side, otherwise the largest; of
// equal ones that with the most bits per pixel, then the first. Damaged entries and those out of bounds are skipped.
func planICO(data []byte, want Want) (plan, error) {
	var best icon
	var failed error
	for _, entry := range icoEntries(data) {
		candidate, err := planIcon(entry)
		if err != nil {
			failed = err
			continue
		}
		if best.plan.decode == nil || candidate.suits(best, want.Side) {
			best = candidate
		}
	}
	if best.plan.decode == nil {
		if failed != nil {
			return plan{}, fmt.Errorf("none of its entries can be used, the last as: %w", failed)
		}
		return plan{}, corrupt("its directory names no entry that lies within the file")
	}
	return best.plan, nil
}

func (c icon) side() int { return min(c.plan.facts.Width, c.plan.facts.Height) }

// suits reports whether c is better than other for a place of side pixels; 0 means the largest.
func (c icon) suits(other icon, side int) bool {
	a, b := c.side(), other.side()
	switch {
	case a == b:
		return c.bits > other.bits
	case side > 0 && a >= side && b >= side:
		return a < b
	default:
		return a > b
	}
}

// inspectICO returns the largest entry. An entry's own header takes precedence over the directory, which has one byte
// per side; the directory is used for entries beyond the first 256 KiB.
func inspectICO(data []byte) (Facts, error) {
	var best Facts
	count := min(int(binary.LittleEndian.Uint16(data[4:])), maxEntries)
	for i := 0; i < count && len(data) >= icoHeader+icoEntry*(i+1); i++ {
		line := data[icoHeader+icoEntry*i:]
		w, h := (int(line[0])+255)%256+1, (int(line[1])+255)%256+1 // 0 means 256
		alpha := Unsure
		size, offset := int64(binary.LittleEndian.Uint32(line[8:])), int64(binary.LittleEndian.Uint32(line[12:]))
		if offset+16 < int64(len(data)) {
			entry := data[offset:min(offset+size, int64(len(data)))]
			if bytes.HasPrefix(entry, []byte(pngMagic)) {
				head, err := readPNG(entry)
				if err != nil {
					continue
				}
				w, h, alpha = head.w, head.h, head.alpha()
			} else if width, height, ok := dibSize(entry); ok {
				w, h = width, height
			} else {
				continue
			}
		}
		if int64(w)*int64(h) > int64(best.Width)*int64(best.Height) {
			best = displayed(w, h, 1, No, alpha)
		}
	}
	if best.Width == 0 {
		return Facts{}, corrupt("its directory names no picture")
	}
	return best, nil
}
