package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

const (
	icoHeader = 6  // reserved, type, count
	icoEntry  = 16 // one line of the directory
)

// icon is an entry of an ICO whose header was read and found within bounds.
type icon struct {
	plan plan
	bits int // bits a pixel: how rich the entry is
}

// icoEntries returns the bytes of each entry of the directory that lies within data, at most maxEntries.
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

// planICO plans the entry that suits best: the smallest one whose shorter side is at least want.Side, else the
// largest, and among equals the one with most bits a pixel, then the first. Entries that are damaged or out of bounds
// are passed over.
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

// suits reports whether c is a better choice than other for a place of side pixels; 0 stands for the largest.
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

// inspectICO gives the largest entry. What an entry's own header says goes before the directory, which has one byte a
// side; the directory speaks for entries beyond the first 256 KiB.
func inspectICO(data []byte) (Facts, error) {
	var best Facts
	count := min(int(binary.LittleEndian.Uint16(data[4:])), maxEntries)
	for i := 0; i < count && len(data) >= icoHeader+icoEntry*(i+1); i++ {
		line := data[icoHeader+icoEntry*i:]
		w, h := (int(line[0])+255)%256+1, (int(line[1])+255)%256+1 // 0 stands for 256
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
