package fontfile

import (
	"bytes"
	"encoding/binary"

	"github.com/andybalholm/brotli"
)

// This file unpacks WOFF 2. Source: https://www.w3.org/TR/WOFF2/

// woff2Tags are the tags that have a number.
var woff2Tags = [...]string{
	"cmap", "head", "hhea", "hmtx", "maxp", "name", "OS/2", "post", "cvt ", "fpgm", "glyf", "loca", "prep", "CFF ", "VORG",
	"EBDT", "EBLC", "gasp", "hdmx", "kern", "LTSH", "PCLT", "VDMX", "vhea", "vmtx", "BASE", "GDEF", "GPOS", "GSUB", "EBSC",
	"JSTF", "MATH", "CBDT", "CBLC", "COLR", "CPAL", "SVG ", "sbix", "acnt", "avar", "bdat", "bloc", "bsln", "cvar", "fdsc",
	"feat", "fmtx", "fvar", "gvar", "hsty", "just", "lcar", "mort", "morx", "opbd", "prop", "trak", "Zapf", "Silf", "Glat",
	"Gloc", "Feat", "Sill",
}

// woff2Table is a table in a file of WOFF 2.
type woff2Table struct {
	tag         string
	length      int // in the file, unpacked
	transformed bool
}

func unpackWOFF2(file []byte) (tables, error) {
	s := stream{rest: file[4:]}
	if string(s.bytes(4)) == "ttcf" {
		return nil, errCollection
	}
	s.u32()
	count := s.u16()
	s.bytes(6)
	compressed := s.u32()
	s.bytes(24)
	if count > maxTables {
		return nil, errDirectory
	}
	var list []woff2Table
	sum := 0
	for range count {
		p := s.woff2Table()
		if sum += p.length; s.err != nil {
			return nil, errDirectory
		}
		if sum > maxUnpacked {
			return nil, errUnpacked
		}
		list = append(list, p)
	}
	all, err := readExactly(brotli.NewReader(bytes.NewReader(s.bytes(compressed))), sum)
	if err != nil || s.err != nil {
		return nil, refuse("The font is damaged: it can't be unpacked. Export it again from its source.")
	}
	t, transformed := tables{}, map[string]bool{}
	for _, p := range list {
		if err := t.add(p.tag, all[:p.length:p.length]); err != nil {
			return nil, err
		}
		all = all[p.length:]
		transformed[p.tag] = p.transformed
	}
	return t, t.restore(transformed)
}

// woff2Table reads an entry of the list of tables.
func (s *stream) woff2Table() (p woff2Table) {
	const custom, version = 63, 6
	flags := s.u8()
	if n := flags & custom; n == custom {
		p.tag = string(s.bytes(4))
	} else {
		p.tag = woff2Tags[n]
	}
	p.length = s.base128()
	none := 0 // the version that isn't transformed
	if p.tag == "glyf" || p.tag == "loca" {
		none = 3
	}
	if p.transformed = flags>>version != none; p.transformed {
		p.length = s.base128()
	}
	return p
}

// base128 reads a number of one to five bytes.
func (s *stream) base128() (n int) {
	for i := range 5 {
		b := s.u8()
		if i == 0 && b == 0x80 {
			break
		}
		if n = n<<7 | b&0x7f; b < 0x80 && n <= 1<<31 {
			return n
		}
	}
	s.err = errBroken
	return 0
}

// u255 reads a number of one to three bytes.
func (s *stream) u255() int {
	switch b := s.u8(); b {
	case 253:
		return s.u16()
	case 255:
		return 253 + s.u8()
	case 254:
		return 506 + s.u8()
	default:
		return b
	}
}

// restore restores the tables that are transformed.
func (t tables) restore(transformed map[string]bool) error {
	for tag := range transformed {
		if transformed[tag] && tag != "glyf" && tag != "loca" && tag != "hmtx" {
			return brokenTable(tag)
		}
	}
	if transformed["glyf"] != transformed["loca"] {
		return brokenTable("glyf")
	}
	if !transformed["glyf"] {
		if transformed["hmtx"] {
			return brokenTable("hmtx")
		}
		return nil
	}
	if len(t["head"]) < 54 {
		return brokenTable("head")
	}
	lefts, err := t.restoreGlyphs()
	if err != nil {
		return brokenTable("glyf")
	}
	if transformed["hmtx"] {
		if err := t.restoreBearings(lefts); err != nil {
			return brokenTable("hmtx")
		}
	}
	return nil
}

// restoreBearings restores hmtx, of which bearings are left out that are the same as the left edges of the glyphs.
func (t tables) restoreBearings(lefts []int) error {
	advances := orZero(reader(t["hhea"]).u16(34))
	s := stream{rest: t["hmtx"]}
	flags := s.u8()
	if advances == 0 || advances > len(lefts) || flags&^3 != 0 || flags == 0 {
		return errBroken
	}
	widths := s.bytes(2 * advances)
	out := make([]byte, 0, 2*advances+2*len(lefts))
	for i, left := range lefts {
		if i < advances {
			if s.err != nil {
				return s.err
			}
			out = append(out, widths[2*i:2*i+2]...)
		}
		if i < advances && flags&1 == 0 || i >= advances && flags&2 == 0 {
			left = s.u16()
		}
		out = binary.BigEndian.AppendUint16(out, uint16(left))
	}
	t["hmtx"] = out
	return s.err
}
