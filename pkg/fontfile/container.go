package fontfile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math/bits"
	"slices"
)

// This file unpacks the files that fonts come in, and writes the one in which they are kept.

// unpack returns the tables of a file.
func unpack(file []byte) (tables, error) {
	if !Is(file) {
		return nil, refuse("The file isn't a font. Upload a TrueType, OpenType, WOFF or WOFF2 font.")
	}
	switch string(file[:4]) {
	case "ttcf":
		return nil, errCollection
	case "wOFF":
		return unpackWOFF(file)
	case "wOF2":
		return unpackWOFF2(file)
	}
	return unpackSFNT(file)
}

var (
	errCollection = &Error{"The file is a collection of fonts. Upload its fonts as single files."}
	errDirectory  = &Error{"The font is damaged: its list of tables can't be read. Export it again from its source."}
	errUnpacked   = &Error{"The font has more than 16 MiB when it is unpacked."}
)

// add adds a table, of which there may be one for each tag.
func (t tables) add(tag string, data []byte) error {
	if _, twice := t[tag]; twice {
		return errDirectory
	}
	t[tag] = data
	return nil
}

func unpackSFNT(file []byte) (tables, error) {
	s := stream{rest: file[4:]}
	count := s.u16()
	s.bytes(6)
	if count > maxTables {
		return nil, errDirectory
	}
	t, sum := tables{}, 0
	for range count {
		tag := string(s.bytes(4))
		s.u32()
		at, length := s.u32(), s.u32()
		data, err := reader(file).span(at, at+length)
		if sum += length; err != nil || s.err != nil {
			return nil, errDirectory
		}
		if sum > maxUnpacked {
			return nil, errUnpacked
		}
		if err := t.add(tag, data); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// unpackWOFF reads a file of WOFF 1, whose tables are compressed one by one.
func unpackWOFF(file []byte) (tables, error) {
	s := stream{rest: file[4:]}
	if flavor := s.bytes(4); string(flavor) == "ttcf" {
		return nil, errCollection
	}
	s.u32()
	count := s.u16()
	s.bytes(30)
	if count > maxTables {
		return nil, errDirectory
	}
	t, sum := tables{}, 0
	for range count {
		tag := string(s.bytes(4))
		at, packed, length := s.u32(), s.u32(), s.u32()
		s.u32()
		data, err := reader(file).span(at, at+packed)
		if sum += length; err != nil || s.err != nil || packed > length {
			return nil, errDirectory
		}
		if sum > maxUnpacked {
			return nil, errUnpacked
		}
		if packed < length {
			r, err := zlib.NewReader(bytes.NewReader(data))
			if err != nil {
				return nil, brokenTable(tag)
			}
			if data, err = readExactly(r, length); err != nil {
				return nil, brokenTable(tag)
			}
		}
		if err := t.add(tag, data); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// readExactly reads so many bytes, without allocating them before they are there.
func readExactly(r io.Reader, n int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(n)+1))
	if err != nil || len(data) != n {
		return nil, errBroken
	}
	return data, nil
}

// file returns the tables as an OpenType file.
func (t tables) file(postscript bool) []byte {
	const headBytes, recordBytes = 12, 16
	var tags []string
	for tag := range t {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	out := make([]byte, headBytes+recordBytes*len(tags))
	copy(out, "\x00\x01\x00\x00")
	if postscript {
		copy(out, "OTTO")
	}
	steps := bits.Len(uint(len(tags))) - 1
	binary.BigEndian.PutUint16(out[4:], uint16(len(tags)))
	binary.BigEndian.PutUint16(out[6:], uint16(16<<steps))
	binary.BigEndian.PutUint16(out[8:], uint16(steps))
	binary.BigEndian.PutUint16(out[10:], uint16(16*len(tags)-16<<steps))
	for i, tag := range tags {
		record := out[headBytes+recordBytes*i:]
		copy(record, tag)
		binary.BigEndian.PutUint32(record[8:], uint32(len(out)))
		binary.BigEndian.PutUint32(record[12:], uint32(len(t[tag])))
		begin := len(out)
		out = append(out, t[tag]...)
		out = append(out, make([]byte, -len(out)&3)...)
		sum := uint32(0)
		for at := begin; at < len(out); at += 4 {
			sum += binary.BigEndian.Uint32(out[at:])
		}
		binary.BigEndian.PutUint32(out[headBytes+recordBytes*i+4:], sum)
	}
	return out
}
