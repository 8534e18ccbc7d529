package fontfile

import "encoding/binary"

// reader reads numbers at offsets of a table; those beyond its end are an error.
type reader []byte

func (r reader) u8(at int) (int, error) {
	if at < 0 || at >= len(r) {
		return 0, errBroken
	}
	return int(r[at]), nil
}

func (r reader) u16(at int) (int, error) {
	if at < 0 || at+2 > len(r) {
		return 0, errBroken
	}
	return int(binary.BigEndian.Uint16(r[at:])), nil
}

func (r reader) u32(at int) (int, error) {
	if at < 0 || at+4 > len(r) {
		return 0, errBroken
	}
	return int(binary.BigEndian.Uint32(r[at:])), nil
}

// from returns what begins at an offset.
func (r reader) from(at int) (reader, error) {
	if at < 0 || at > len(r) {
		return nil, errBroken
	}
	return r[at:], nil
}

// span returns the bytes between two offsets.
func (r reader) span(start, end int) (reader, error) {
	if start < 0 || end < start || end > len(r) {
		return nil, errBroken
	}
	return r[start:end], nil
}

// orZero returns a number, or 0 for one that isn't there.
func orZero(n int, err error) int {
	if err != nil {
		return 0
	}
	return n
}

// stream is bytes that are read one after the other. Once it has ended, numbers are 0 and err is set.
type stream struct {
	rest []byte
	err  error
}

func (s *stream) bytes(n int) []byte {
	if n < 0 || n > len(s.rest) {
		s.err, s.rest = errBroken, nil
		return nil
	}
	out := s.rest[:n]
	s.rest = s.rest[n:]
	return out
}

func (s *stream) u8() int {
	if b := s.bytes(1); b != nil {
		return int(b[0])
	}
	return 0
}

func (s *stream) u16() int {
	if b := s.bytes(2); b != nil {
		return int(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (s *stream) u32() int {
	if b := s.bytes(4); b != nil {
		return int(binary.BigEndian.Uint32(b))
	}
	return 0
}
