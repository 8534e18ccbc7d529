package picture

import (
	"bytes"
	"encoding/binary"
)

// maxBoxes is the maximum number of boxes, of properties and of associations read of an AVIF or HEIC header.
const maxBoxes = 4096

// box is one box of an ISO base media file: its type and its body, cut to the available data. Source: ISO/IEC 14496-12,
// 4.2.
type box struct {
	kind string
	body []byte
}

// nextBox returns the first box of data and the rest; ok is false without a complete header.
func nextBox(data []byte) (b box, rest []byte, ok bool) {
	if len(data) < 8 {
		return box{}, nil, false
	}
	size, header := uint64(binary.BigEndian.Uint32(data)), uint64(8)
	switch size {
	case 0: // to the end of the file
		size = uint64(len(data))
	case 1:
		if len(data) < 16 {
			return box{}, nil, false
		}
		size, header = binary.BigEndian.Uint64(data[8:]), 16
	}
	if size < header {
		return box{}, nil, false
	}
	end := min(size, uint64(len(data)))
	return box{string(data[4:8]), data[header:end]}, data[end:], true
}

// findBox returns the body of the first box of that kind in data, or nil.
func findBox(data []byte, kind string) []byte {
	for range maxBoxes {
		b, rest, ok := nextBox(data)
		if !ok {
			return nil
		}
		if b.kind == kind {
			return b.body
		}
		data = rest
	}
	return nil
}

// fullBox removes the version and flags at the start of a "full" box.
func fullBox(body []byte) (version byte, flags uint32, rest []byte) {
	if len(body) < 4 {
		return 0, 0, nil
	}
	return body[0], binary.BigEndian.Uint32(body) & 0xffffff, body[4:]
}

// inspectHEIF reads the size of the primary item of an AVIF or HEIC file from its properties: ispe, rotated by irot. If
// the file doesn't say which properties belong to the primary item, the largest size counts, since the others are tiles
// and thumbnails. Source: ISO/IEC 23008-12, 6.5 and 9.3.
func inspectHEIF(data []byte) (Facts, error) {
	_, _, meta := fullBox(findBox(data, "meta"))
	properties := findBox(meta, "iprp")
	own := primaryProperties(meta, properties)
	var w, h uint32
	turned, alpha, owned := false, No, false
	container := findBox(properties, "ipco")
	for index := 1; index <= maxBoxes; index++ {
		b, rest, ok := nextBox(container)
		if !ok {
			break
		}
		container = rest
		switch {
		case b.kind == "ispe" && len(b.body) >= 12:
			pw, ph := binary.BigEndian.Uint32(b.body[4:]), binary.BigEndian.Uint32(b.body[8:])
			if own[index] || !owned && uint64(pw)*uint64(ph) > uint64(w)*uint64(h) {
				w, h, owned = pw, ph, own[index]
			}
		case b.kind == "irot" && len(b.body) >= 1 && own[index]:
			turned = b.body[0]&1 == 1
		case b.kind == "auxC" && bytes.Contains(b.body, []byte(":alpha")):
			alpha = Yes
		}
	}
	if w == 0 || h == 0 || w > 1<<30 || h > 1<<30 {
		return Facts{}, corrupt("no size in its properties")
	}
	if turned {
		w, h = h, w
	}
	return displayed(int(w), int(h), 1, sequence(data), alpha), nil
}

// sequence determines from the major brand whether the file is an image sequence.
func sequence(data []byte) Tristate {
	if len(data) < 12 {
		return Unsure
	}
	switch string(data[8:12]) {
	case "avis", "hevc", "hevx", "msf1":
		return Yes
	}
	return No
}

// primaryProperties returns the properties of the primary item, counted from 1 in ipco.
func primaryProperties(meta, properties []byte) map[int]bool {
	version, _, body := fullBox(findBox(meta, "pitm"))
	primary, _, ok := itemID(body, version)
	if !ok {
		return nil
	}
	version, flags, body := fullBox(findBox(properties, "ipma"))
	if len(body) < 4 {
		return nil
	}
	entries := binary.BigEndian.Uint32(body)
	body = body[4:]
	set := make(map[int]bool)
	for range min(entries, maxBoxes) {
		id, rest, ok := itemID(body, version)
		if !ok || len(rest) == 0 {
			return set
		}
		count, width := int(rest[0]), 1+int(flags&1)
		body = rest[1:]
		if len(body) < count*width {
			return set
		}
		for i := 0; id == primary && i < count; i++ {
			if width == 1 {
				set[int(body[i]&0x7f)] = true
			} else {
				set[int(binary.BigEndian.Uint16(body[2*i:])&0x7fff)] = true
			}
		}
		body = body[count*width:]
	}
	return set
}

// itemID reads an item's number: 16 bits in version 0, otherwise 32.
func itemID(body []byte, version byte) (id uint32, rest []byte, ok bool) {
	if version == 0 {
		if len(body) < 2 {
			return 0, nil, false
		}
		return uint32(binary.BigEndian.Uint16(body)), body[2:], true
	}
	if len(body) < 4 {
		return 0, nil, false
	}
	return binary.BigEndian.Uint32(body), body[4:], true
}
